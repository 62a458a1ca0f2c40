// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.ConnectionRejectedException;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.cm.RdmaServer;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.types.Errno;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Messages of connections: none is lost without an error, and no thread waits for another's.
@DeviceTest
@Needs.NoKernel("credits are kept in this process")
@Timeout(180)
class MessagesIT {
    private static final int COUNT = 4;
    private static final ConnectionOptions OPTIONS =
            ConnectionOptions.defaults().withTimeout(Steps.LONG).withMessages(COUNT, 64);

    /// Both ends of a connection.
    private record Pair(RdmaServer server, RdmaConnection client, RdmaConnection accepted) implements AutoCloseable {
        static Pair connect(ConnectionOptions atTheServer, ConnectionOptions atTheClient) throws Exception {
            InetSocketAddress address = CmAddress.right();
            var server = RdmaServer.listen(address, atTheServer);
            var accepting = server.acceptAsync();
            var client = RdmaConnection.connect(address, atTheClient);
            return new Pair(server, client, accepting.get(60, TimeUnit.SECONDS));
        }

        @Override
        public void close() {
            server.close();
            client.close();
            accepted.close();
        }
    }

    private static void assertFails(int errno, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(VerbsException.class,
                e -> assertThat(e.errno()).isEqualTo(errno));
    }

    @Test
    void noneIsSentAfterThePeersEnd() throws Exception {
        try (var pair = Pair.connect(OPTIONS, OPTIONS)) {
            pair.accepted.close();
            pair.client.disconnected().get(60, TimeUnit.SECONDS);
            assertFails(Errno.ECONNRESET, () -> pair.client.messages().send("to nobody"));
            assertFails(Errno.ECONNRESET, () -> pair.client.messages().compose(Steps.LONG));
            assertFails(Errno.ECONNRESET, () -> pair.client.messages().receiveText());
        }
    }

    @Test
    void aSlowReaderGetsAllThoughItsPeerHasClosed() throws Exception {
        try (var pair = Pair.connect(OPTIONS, OPTIONS)) {
            var sending = CompletableFuture.runAsync(() -> {
                try (RdmaConnection client = pair.client) {
                    for (int i = 0; i < 4 * COUNT; i++) {
                        client.messages().send("message " + i);
                    }
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            Thread.sleep(Duration.ofSeconds(2)); // twice as long as a close waits for a peer without receives
            for (int i = 0; i < 4 * COUNT; i++) {
                assertThat(pair.accepted.messages().receiveText(Steps.LONG)).contains("message " + i);
            }
            sending.get(60, TimeUnit.SECONDS);
            assertFails(Errno.ECONNRESET, () -> pair.accepted.messages().receiveText(Steps.LONG));
        }
    }

    @Test
    void oneThreadSendsWhileAnotherWaitsForAMessage() throws Exception {
        try (var pair = Pair.connect(OPTIONS, OPTIONS)) {
            var atTheServer = reading(pair.accepted);
            var atTheClient = reading(pair.client);
            Thread.sleep(200); // both wait by now
            pair.accepted.messages().send("from the server");
            assertThat(atTheClient.get(30, TimeUnit.SECONDS)).isEqualTo("from the server");
            pair.client.messages().send("from the client");
            assertThat(atTheServer.get(30, TimeUnit.SECONDS)).isEqualTo("from the client");
        }
    }

    private static CompletableFuture<String> reading(RdmaConnection connection) {
        var text = new CompletableFuture<String>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                text.complete(connection.messages().receiveText());
            } catch (VerbsException | InterruptedException e) {
                text.completeExceptionally(e);
            }
        });
        return text;
    }

    @Test
    void aSendReturnsInTimeIfThePeerTakesNothing() throws Exception {
        try (var pair = Pair.connect(OPTIONS, OPTIONS)) {
            var reader = reading(pair.client);
            for (int i = 0; i < COUNT; i++) {
                pair.client.messages().send("message " + i);
            }
            long start = System.nanoTime();
            assertFails(Errno.ETIMEDOUT, () -> pair.client.messages().send(new byte[1], Duration.ofMillis(300)));
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
            assertThat(reader).isNotDone();
        }
    }

    @Test
    void closingReportsWhatThePeerDidNotGet() throws Exception {
        try (var pair = Pair.connect(OPTIONS, OPTIONS)) {
            pair.accepted.queuePair().modify(QueuePairAttributes.builder().state(QueuePairState.ERR).build());
            pair.client.messages().send("lost");
            pair.client.messages().send("lost, too");
            assertThatThrownBy(pair.client::close)
                    .isInstanceOfSatisfying(VerbsException.class,
                            e -> assertThat(e.errno()).isEqualTo(Errno.ECONNRESET))
                    .hasMessageContaining("the last 2 messages");
            assertThat(pair.client.isConnected()).isFalse();
        }
    }

    @Test
    void bothEndsNameUnequalLengths() throws Exception {
        InetSocketAddress address = CmAddress.right();
        try (var server = RdmaServer.listen(address, OPTIONS)) {
            var connecting = RdmaConnection.connectAsync(address, OPTIONS.withMessages(COUNT, 1024));
            assertThatThrownBy(server::accept)
                    .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EPROTO))
                    .hasMessageContainingAll("64", "1024", "withMessages");
            assertThatThrownBy(() -> connecting.get(60, TimeUnit.SECONDS)).cause()
                    .isInstanceOf(ConnectionRejectedException.class)
                    .hasMessageContainingAll("64", "1024", "withMessages");
        }
    }

    @Test
    void anEndWithoutMessagesIsNamed() throws Exception {
        ConnectionOptions without = ConnectionOptions.defaults().withTimeout(Steps.LONG);
        InetSocketAddress address = CmAddress.right();
        try (var server = RdmaServer.listen(address, OPTIONS)) {
            var connecting = RdmaConnection.connectAsync(address, without);
            assertThatThrownBy(server::accept).isInstanceOf(VerbsException.class)
                    .hasMessageContainingAll("the peer uses none", "withPlainMessages");
            assertThatThrownBy(() -> connecting.get(60, TimeUnit.SECONDS)).cause()
                    .isInstanceOf(ConnectionRejectedException.class)
                    .hasMessageContaining("withMessages(" + COUNT + ", 64)");
        }
        InetSocketAddress other = CmAddress.right();
        try (var server = RdmaServer.listen(other, without)) {
            var accepting = server.acceptAsync();
            assertThatThrownBy(() -> RdmaConnection.connect(other, OPTIONS))
                    .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EPROTO))
                    .hasMessageContaining("the peer uses none");
            assertThatThrownBy(() -> accepting.get(60, TimeUnit.SECONDS)).cause().isInstanceOf(VerbsException.class);
        }
    }

    @Test
    void eachEndChoosesHowManyMayBeOutstanding() throws Exception {
        try (
                var pair = Pair.connect(OPTIONS.withPrivateData(PrivateData.of("server")),
                        OPTIONS.withMessages(1, 64).withPrivateData(PrivateData.of("client")))) {
            assertThat(pair.accepted.privateData().text()).isEqualTo("client");
            assertThat(pair.client.privateData().text()).isEqualTo("server");
            assertThat(pair.accepted.privateData().trimmed()).as("without the terms of the messages").hasSize(6);
            assertThat(pair.client.messages().credits()).isEqualTo(COUNT);
            assertThat(pair.accepted.messages().credits()).isEqualTo(1);
            for (int i = 0; i < 20; i++) {
                pair.client.messages().send("question " + i);
                assertThat(pair.accepted.messages().receiveText(Steps.LONG)).contains("question " + i);
                pair.accepted.messages().send("answer " + i);
                assertThat(pair.client.messages().receiveText(Steps.LONG)).contains("answer " + i);
            }
        }
    }

    /// What a program in C sees: sends as they are, and no private data but the program's.
    @Test
    void plainMessagesAreSendsAlone() throws Exception {
        ConnectionOptions plain = ConnectionOptions.defaults().withTimeout(Steps.LONG).withPlainMessages(COUNT, 64);
        try (var pair = Pair.connect(plain, plain)) {
            assertThat(pair.client.privateData().trimmed()).isEmpty();
            assertThat(pair.accepted.privateData().trimmed()).isEmpty();
            var sending = CompletableFuture.runAsync(() -> {
                try (RdmaConnection client = pair.client) {
                    for (int i = 0; i < 3 * COUNT; i++) {
                        client.messages().send(new byte[]{(byte) i}, Steps.LONG);
                    }
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            for (int i = 0; i < 3 * COUNT; i++) {
                assertThat(pair.accepted.messages().receive(Steps.LONG)).hasValue(new byte[]{(byte) i});
            }
            sending.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void closingReportsPlainMessagesThatAPeerHasNoReceiveFor() throws Exception {
        ConnectionOptions plain = ConnectionOptions.defaults().withTimeout(Steps.LONG).withPlainMessages(COUNT, 64);
        try (var pair = Pair.connect(plain, plain)) {
            for (int i = 0; i < COUNT + 2; i++) {
                pair.client.messages().send("message " + i);
            }
            assertThatThrownBy(pair.client::close).isInstanceOf(VerbsException.class)
                    .hasMessageContaining("the last 2 messages");
            for (int i = 0; i < COUNT; i++) {
                assertThat(pair.accepted.messages().receiveText(Steps.LONG)).contains("message " + i);
            }
        }
    }
}
