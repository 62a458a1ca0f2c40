// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.simulator.SimulatedHost;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.types.Errno;
import io.verbs4j.types.Gid;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.VerbsException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests what two programs say to each other over a socket, and what a peer may not do with it.
class SocketExchangeTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final String GREETING = "verbs4j-exchange 1\n";
    private static final QueuePairEndpoint ENDPOINT =
            new QueuePairEndpoint(17, 0x123456, new Gid(0, 0xffff_0a09_0001L), 0, Mtu.MTU_1024);
    private static final RemoteMemory MEMORY = new RemoteMemory(0x7f00_0000_1000L, 4096, 0x663);

    private static InetSocketAddress freeAddress() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return (InetSocketAddress) socket.getLocalSocketAddress();
        }
    }

    @Test
    void bothEndsGetWhatTheOtherSays() throws Exception {
        InetSocketAddress address = freeAddress();
        var other = InThread.PLATFORM.start(() -> {
            try (var exchange = SocketExchange.accept(address, LIMIT)) {
                var said = new ArrayList<Object>();
                said.add(exchange.swap(ENDPOINT));
                said.add(exchange.swap(MEMORY));
                said.add(exchange.swap(List.of()));
                exchange.ready();
                return said;
            }
        });
        var theirs = new QueuePairEndpoint(18, 1, Gid.ZERO, 7, Mtu.MTU_4096);
        List<RemoteMemory> many = Collections.nCopies(SocketExchange.MAX_REGIONS, MEMORY);
        try (var exchange = SocketExchange.connect(address, LIMIT)) {
            assertThat(exchange.swap(theirs)).isEqualTo(ENDPOINT);
            assertThat(exchange.swap(MEMORY.slice(8, 8))).isEqualTo(MEMORY);
            assertThat(exchange.swap(many)).isEmpty();
            assertThatThrownBy(() -> exchange.swap(Collections.nCopies(257, MEMORY)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("own.size=257");
            exchange.ready();
        }
        assertThat(other.result()).containsExactly(theirs, MEMORY.slice(8, 8), many);
    }

    /// A number of nanoseconds above 2^63 is no error.
    @Test
    void aTimeoutMayHaveAnyLength() throws Exception {
        var longest = Duration.ofSeconds(Long.MAX_VALUE);
        InetSocketAddress address = freeAddress();
        var other = InThread.PLATFORM.start(() -> {
            try (var exchange = SocketExchange.accept(address, longest)) {
                return exchange.swap(ENDPOINT);
            }
        });
        try (var exchange = SocketExchange.connect(address, longest)) {
            assertThat(exchange.swap(ENDPOINT)).isEqualTo(ENDPOINT);
        }
        assertThat(other.result()).isEqualTo(ENDPOINT);
    }

    @Test
    void readyWaitsForThePeer() throws Exception {
        InetSocketAddress address = freeAddress();
        var isReady = new CountDownLatch(1);
        var other = InThread.PLATFORM.start(() -> {
            try (var exchange = SocketExchange.accept(address, LIMIT)) {
                exchange.ready();
                isReady.countDown();
                return 0;
            }
        });
        try (var exchange = SocketExchange.connect(address, LIMIT)) {
            assertThat(isReady.await(100, TimeUnit.MILLISECONDS)).isFalse();
            exchange.ready();
            assertThat(isReady.await(30, TimeUnit.SECONDS)).isTrue();
        }
        other.result();
    }

    /// Runs one call against a peer that says these bytes whatever it hears, and then nothing.
    private static VerbsException answerTo(byte[] said, boolean leaves) throws Exception {
        try (
                var listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var here = new Socket(listener.getInetAddress(), listener.getLocalPort());
                var peer = listener.accept()) {
            peer.getOutputStream().write(said);
            if (leaves) {
                peer.shutdownOutput();
            }
            try (var exchange = SocketExchange.over(here, SHORT)) {
                exchange.swap(List.of());
                exchange.swap(ENDPOINT);
            } catch (VerbsException e) {
                assertThat(here.isClosed()).isTrue();
                return e;
            }
        }
        throw new AssertionError("nothing was refused");
    }

    private static VerbsException answerTo(String said) throws Exception {
        return answerTo(said.getBytes(StandardCharsets.ISO_8859_1), false);
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "HTTP/1.1 400 Bad Request\n",
            "verbs4j-exchange 2\n",
            GREETING + "endpoint 000011/123456/0000/1024/0000:0000:0000:0000:0000:ffff:0a09:0001\n",
            GREETING + "regions -1\n",
            GREETING + "regions 257\n",
            GREETING + "regions 99999999999\n",
            GREETING + "regions\n",
            GREETING + "regions 1\nregion 7f00/-1/663\n",
            GREETING + "regions 1\nregion ffffffffffffffff/2/663\n",
            GREETING + "regions 1\nregion 7f00/16/1663663663\n",
            GREETING + "regions 1\nregion 7f00/16\n",
            GREETING + "regions 0\nendpoint 1000000/000000/0000/1024/0000:0000:0000:0000:0000:ffff:0a09:0001\n",
            GREETING + "regions 0\nendpoint -00001/000000/0000/1024/0000:0000:0000:0000:0000:ffff:0a09:0001\n",
            GREETING + "regions 0\nendpoint 000011/000000/0000/1000/0000:0000:0000:0000:0000:ffff:0a09:0001\n",
            GREETING + "regions 0\nendpoint 000011/000000/0000/1024/0000:0000\n",
            "verbs4j-exchange\u0000 1\n",
            "verbs4j-exchange 1\r\n",
            "\u001b[2J\n"})
    void nonsenseIsRefusedAsABreachOfTheProtocol(String said) throws Exception {
        assertThat(answerTo(said).errno()).as(said).isEqualTo(Errno.EPROTO);
    }

    @Test
    void lineWithoutEndIsRefusedBeforeItFillsTheMemory() throws Exception {
        VerbsException failure = answerTo("x".repeat(100_000));

        assertThat(failure.errno()).isEqualTo(Errno.EPROTO);
        assertThat(failure).hasMessageContaining("a line of more than 128 characters");
    }

    @Test
    void silentPeerIsGivenUp() throws Exception {
        assertThat(answerTo(GREETING + "regions 1\nregion 7f00").errno()).isEqualTo(Errno.ETIMEDOUT);
        assertThat(answerTo("").getMessage())
                .contains("ETIMEDOUT", "the peer did not send 'verbs4j-exchange' within PT0.2S");
    }

    @Test
    void peerThatLeavesIsNamed() throws Exception {
        VerbsException failure = answerTo((GREETING + "regions 2\n").getBytes(StandardCharsets.US_ASCII), true);

        assertThat(failure.errno()).isEqualTo(Errno.ECONNRESET);
        assertThat(failure).hasMessageContaining("closed the connection before it sent 'region'");
    }

    /// Otherwise no program could close the queue pair, and with it the completion queue and the domain.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void peerThatLeavesWhileConnectingLeavesNoQueuePair(boolean afterItsEndpoint) throws Exception {
        try (
                var network = SimulatedNetwork.inRealTime();
                var listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var here = new Socket(listener.getInetAddress(), listener.getLocalPort());
                var peer = listener.accept()) {
            SimulatedHost host = network.addHost("here", KernelProfile.LINUX_6_12);
            host.addDevice("rxe0");
            try (Context context = Devices.of(host).getFirst().open()) {
                CompletionQueue queue = context.createCompletionQueue(8);
                ProtectionDomain domain = context.allocateProtectionDomain();
                PreparedQueuePair prepared = domain.reliableConnection(queue).prepare();
                String said = GREETING + (afterItsEndpoint ? "endpoint " + prepared.endpoint() + "\n" : "");
                peer.getOutputStream().write(said.getBytes(StandardCharsets.US_ASCII));
                peer.shutdownOutput();
                try (var exchange = SocketExchange.over(here, LIMIT)) {
                    assertThatThrownBy(() -> exchange.connect(prepared))
                            .isInstanceOf(VerbsException.class)
                            .hasMessageContaining("ECONNRESET")
                            .hasNoSuppressedExceptions();
                }
                queue.close();
                domain.close();
            }
        }
    }

    @Test
    void noBytesWhateverEndInAnythingElse() throws Exception {
        var random = new Random(7472);
        byte[] valid = (GREETING + "regions 1\nregion " + MEMORY + "\nendpoint " + ENDPOINT + "\n")
                .getBytes(StandardCharsets.US_ASCII);
        for (int round = 0; round < 300; round++) {
            byte[] said = valid.clone();
            for (int change = 1 + random.nextInt(3); change > 0; change--) {
                said[random.nextInt(said.length)] = (byte) random.nextInt();
            }
            try {
                assertThat(answerTo(said, true).errno()).isIn(Errno.EPROTO, Errno.ECONNRESET);
            } catch (AssertionError e) {
                assertThat(e).hasMessage("nothing was refused"); // another number, and a valid one
            }
        }
    }

    @Test
    void saysThatNobodyListensAndThatNobodyCame() throws Exception {
        InetSocketAddress address = freeAddress();

        assertThatThrownBy(() -> SocketExchange.connect(address, SHORT))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ECONNREFUSED))
                .hasMessageContaining("start the peer's program");
        assertThatThrownBy(() -> SocketExchange.accept(address, SHORT))
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ETIMEDOUT))
                .hasMessageContaining("no peer connected within PT0.2S");
    }

    @Test
    @SuppressWarnings("try") // closes an end while a thread waits in it
    void closingEndsACallThatWaits() throws Exception {
        InetSocketAddress address = freeAddress();
        var other = InThread.PLATFORM.start(() -> SocketExchange.accept(address, LIMIT));
        SocketExchange here = SocketExchange.connect(address, LIMIT);
        SocketExchange there = other.result();
        try {
            var waiting = InThread.PLATFORM.start(() -> {
                there.ready();
                return 0;
            });
            there.close();
            assertThatThrownBy(waiting::result).rootCause().hasMessageContaining("losed");
        } finally {
            there.close();
            here.close();
        }
    }

    @Test
    void memoryHasATextForm() {
        assertThat(MEMORY).hasToString("00007f0000001000/4096/00000663");
        assertThat(RemoteMemory.parse(" 00007f0000001000/4096/00000663\n")).isEqualTo(MEMORY);
        var top = new RemoteMemory(-4096, 4096, -1);
        assertThat(RemoteMemory.parse(top.toString())).isEqualTo(top);
        for (String text : List.of("", "7f00/1", "7f00/1/2/3", "0x7f00/1/2", "7f00/1e3/2", "fffffffffffff000/4097/1",
                "7F00/1/2", "7f00/9223372036854775808/1")) {
            assertThatThrownBy(() -> RemoteMemory.parse(text))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("memory=" + text);
        }
    }
}
