// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.sockets;

import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.Identifier;
import io.verbs4j.sockets.RdmaSelectorProvider;
import io.verbs4j.types.PortSpace;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/// The program that [EndedSocketPeerIT] starts and kills. It brings connections to all stages, says so, and waits.
final class EndedSocketPeerProbe {
    /// One more than the test accepts.
    private static final int CLIENTS = 4;

    private EndedSocketPeerProbe() {}

    public static void main(String... arguments) throws Exception {
        var provider = new RdmaSelectorProvider(EndedSocketPeerIT.RULES);
        for (int i = 0; i < CLIENTS; i++) {
            SocketChannel client = provider.openSocketChannel();
            client.connect(EndedSocketPeerIT.OURS);
            client.write(EndedSocketPeerIT.bytes());
        }
        try (
                ServerSocketChannel server = provider.openServerSocketChannel().bind(EndedSocketPeerIT.PEERS);
                EventChannel silent = EventChannel.open()) {
            Identifier listener = silent.create(PortSpace.TCP);
            listener.bind(EndedSocketPeerIT.SILENT);
            listener.listen(0);
            IO.println("listening");
            SocketChannel halfClosed = server.accept();
            halfClosed.write(EndedSocketPeerIT.bytes());
            halfClosed.shutdownOutput();
            IO.println("accepted");
            silent.await(EndedSocketPeerIT.LIMIT).orElseThrow(); // a request that is never answered
            IO.println("at all stages");
            Thread.sleep(Long.MAX_VALUE);
        }
    }
}
