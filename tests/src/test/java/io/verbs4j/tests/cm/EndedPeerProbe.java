// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.cm.RdmaServer;
import java.net.InetSocketAddress;

/// The program that [EndedPeerIT] starts and kills. It takes each stage of a connection, says so, and waits.
final class EndedPeerProbe {
    private EndedPeerProbe() {}

    /// @param arguments four addresses and ports: two of the test, to request connections by steps and in one call, and
    ///     two to listen at
    public static void main(String... arguments) throws Exception {
        var options = ConnectionOptions.defaults().withTimeout(Steps.LONG).withMessages(8, 64);
        InetSocketAddress ours = address(arguments, 0);
        InetSocketAddress whole = address(arguments, 1);
        InetSocketAddress peers = address(arguments, 2);
        InetSocketAddress server = address(arguments, 3);
        // As a client: resolved route, unanswered request, unconfirmed answer, established connection.
        EventChannel asking = EventChannel.open();
        Steps.resolve(asking, ours);
        Steps.ask(asking, ours);
        EventChannel confirming = EventChannel.open();
        Steps.ask(confirming, ours);
        Steps.next(confirming, CmEvent.ConnectResponse.class);
        RdmaConnection client = RdmaConnection.connect(whole, options);
        client.messages().send("still here");
        // As a server.
        EventChannel serving = EventChannel.open();
        Steps.listen(serving, peers);
        try (RdmaServer listening = RdmaServer.listen(server, options)) {
            IO.println("listening");
            RdmaConnection accepted = listening.accept();
            accepted.messages().send("still here");
            Steps.next(serving, CmEvent.ConnectRequest.class);
            IO.println("unanswered");
            Steps.next(serving, CmEvent.ConnectRequest.class).incoming().accept(Steps.parameters());
            IO.println("unconfirmed");
            // The third request is never taken.
            while (serving.fileDescriptor() >= 0) {
                IO.println("at all stages");
                Thread.sleep(Long.MAX_VALUE);
            }
        }
    }

    private static InetSocketAddress address(String[] arguments, int number) {
        return new InetSocketAddress(arguments[2 * number], Integer.parseInt(arguments[2 * number + 1]));
    }
}
