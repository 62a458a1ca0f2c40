// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm.rsocket;

import io.verbs4j.cm.rsocket.RdmaServerSocket;
import io.verbs4j.cm.rsocket.RdmaSocket;
import io.verbs4j.cm.rsocket.RdmaSocketOptions;
import io.verbs4j.tests.cm.CmAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/// Two ends of a stream between rxe0 and rxe1.
record StreamPair(RdmaSocket client, RdmaSocket server) implements AutoCloseable {
    /// For one step on a slow machine.
    static final Duration LIMIT = Duration.ofSeconds(60);

    static StreamPair open(RdmaSocketOptions options) throws Exception {
        InetSocketAddress address = CmAddress.right();
        try (RdmaServerSocket listening = RdmaServerSocket.listen(address, options)) {
            var accepting = new FutureTask<>(listening::accept);
            Thread.ofVirtual().start(accepting);
            RdmaSocket client = RdmaSocket.connect(listening.localAddress(), options);
            return new StreamPair(client, accepting.get(LIMIT.toSeconds(), TimeUnit.SECONDS));
        }
    }

    @Override
    public void close() {
        try (client) {
            server.close();
        }
    }
}
