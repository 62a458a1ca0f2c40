// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.cm.RdmaServer;
import io.verbs4j.tests.support.DeviceTest;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Many connections, in turn and at a time, and ends of connections that nobody announced.
@DeviceTest
class ManyConnectionsIT {
    private static final Duration LONG = Duration.ofSeconds(120);
    private static final int IN_TURN = 25;
    private static final int AT_A_TIME = 25;
    private static final ConnectionOptions OPTIONS =
            ConnectionOptions.defaults().withTimeout(LONG).withQueues(8, 8).withMessages(4, 64);

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(120, TimeUnit.SECONDS);
    }

    @Test
    void comeAndGoInTurn() throws Exception {
        InetSocketAddress address = CmAddress.right();
        try (var server = RdmaServer.listen(address, OPTIONS)) {
            for (int i = 0; i < IN_TURN; i++) {
                var accepting = server.acceptAsync();
                try (
                        var client = RdmaConnection.connect(address, OPTIONS);
                        var accepted = get(accepting)) {
                    client.messages().send("turn " + i);
                    assertThat(accepted.messages().receiveText(LONG)).contains("turn " + i);
                    get((i % 2 == 0 ? end(client, accepted) : end(accepted, client)).disconnected());
                }
            }
        }
    }

    /// Ends a connection at one end.
    ///
    /// @return the other end
    private static RdmaConnection end(RdmaConnection here, RdmaConnection there) throws InterruptedException {
        here.disconnect();
        return there;
    }

    @Test
    void standAtATimeAndOutliveTheServer() throws Exception {
        InetSocketAddress address = CmAddress.right();
        List<RdmaConnection> all = new ArrayList<>();
        try {
            List<RdmaConnection> clients = new ArrayList<>();
            List<RdmaConnection> accepted = new ArrayList<>();
            try (var server = RdmaServer.listen(address, OPTIONS)) {
                for (int i = 0; i < AT_A_TIME; i++) {
                    var accepting = server.acceptAsync();
                    clients.add(RdmaConnection.connect(address, OPTIONS));
                    all.add(clients.getLast());
                    accepted.add(get(accepting));
                    all.add(accepted.getLast());
                }
            }
            for (int i = 0; i < AT_A_TIME; i++) {
                clients.get(i).messages().send("number " + i);
                assertThat(accepted.get(i).messages().receiveText(LONG)).contains("number " + i);
            }
            for (RdmaConnection client : clients) {
                client.close();
            }
            for (RdmaConnection end : accepted) {
                get(end.disconnected());
                assertThat(end.isConnected()).isFalse();
            }
        } finally {
            all.forEach(RdmaConnection::close);
        }
    }

    @Test
    void endsWhileMessagesAreUnderWay() throws Exception {
        InetSocketAddress address = CmAddress.right();
        try (var server = RdmaServer.listen(address, OPTIONS)) {
            var accepting = server.acceptAsync();
            try (
                    var client = RdmaConnection.connect(address, OPTIONS);
                    var accepted = get(accepting)) {
                for (int i = 0; i < 4; i++) { // as many as the peer has receives: then it waits for no reader
                    client.messages().send("message " + i);
                }
                client.disconnect();
                get(accepted.disconnected());
                for (int i = 0; i < 4; i++) {
                    assertThat(accepted.messages().receiveText(LONG)).contains("message " + i);
                }
            }
        }
    }
}
