// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.cm.RdmaServer;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Held;
import io.verbs4j.tests.support.LeakCheck;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.TestBytes;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Many connections, in turn and concurrently, and connections that end without notice. The long form (system property
/// `walks.minutes`) makes 20,000 in turn and 1,000 concurrently.
@DeviceTest
@Timeout(value = 2, unit = TimeUnit.HOURS)
@Needs.OneKernel
@Needs.LongRun("dozens of connections")
class ManyConnectionsIT {
    private static final Duration LONG = Duration.ofSeconds(120);
    private static final boolean ALL = Long.getLong("walks.minutes", 0) > 0;
    private static final int IN_TURN = Integer.getInteger("verbs4j.test.connections.in.turn", ALL ? 20_000 : 25);
    private static final int AT_A_TIME = Integer.getInteger("verbs4j.test.connections.at.a.time", ALL ? 1_000 : 25);
    private static final ConnectionOptions OPTIONS =
            ConnectionOptions.defaults().withTimeout(LONG).withQueues(8, 8).withMessages(4, 64);

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(120, TimeUnit.SECONDS);
    }

    @Test
    void comeAndGoInTurn() throws Exception {
        InetSocketAddress address = CmAddress.right();
        try (var server = RdmaServer.listen(address, OPTIONS)) {
            Held first = Held.now();
            long start = System.nanoTime();
            for (int i = 0; i < IN_TURN; i++) {
                if (i == IN_TURN / 10) {
                    first = Held.now(); // by now everything is loaded
                }
                var accepting = server.acceptAsync();
                try (
                        var client = RdmaConnection.connect(address, OPTIONS);
                        var accepted = get(accepting)) {
                    client.messages().send("turn " + i);
                    assertThat(accepted.messages().receiveText(LONG)).contains("turn " + i);
                    get((i % 2 == 0 ? end(client, accepted) : end(accepted, client)).disconnected());
                }
            }
            long micros = (System.nanoTime() - start) / 1000 / IN_TURN;
            Held last = Held.now();
            IO.println(IN_TURN + " connections in turn, " + micros + " µs each; " + first + ", then " + last);
            last.requireNoMoreThan(first, ALL);
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
            Held most = Held.now();
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
            all.forEach(RdmaConnection::close);
            all.clear();
            LeakCheck.awaitNothingOfConnections();
            IO.println(AT_A_TIME + " connections at a time: " + most + ", closed: " + Held.now());
        } finally {
            all.forEach(RdmaConnection::close);
        }
    }

    @Test
    void endsWhileMessagesAreUnderWay() throws Exception {
        InetSocketAddress address = CmAddress.right();
        int bytes = 128 * 1024; // takes a driver in software much longer than the steps from the last send to the end
        ConnectionOptions large = OPTIONS.withMessages(4, bytes);
        try (var server = RdmaServer.listen(address, large)) {
            var accepting = server.acceptAsync();
            try (
                    var client = RdmaConnection.connect(address, large);
                    var accepted = get(accepting)) {
                for (int i = 0; i < 4; i++) { // as many as the peer has receives: then it waits for no reader
                    client.messages().send(TestBytes.of(i, bytes), LONG);
                }
                client.disconnect();
                get(accepted.disconnected());
                for (int i = 0; i < 4; i++) {
                    assertThat(accepted.messages().receive(LONG)).hasValue(TestBytes.of(i, bytes));
                }
            }
        }
    }
}
