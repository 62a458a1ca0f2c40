// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.Devices;
import io.verbs4j.ReceiveBatch;
import io.verbs4j.SendBatch;
import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.cm.RdmaServer;
import io.verbs4j.simulator.SimulatedDevice;
import io.verbs4j.simulator.SimulatedHost;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.types.Access;
import io.verbs4j.types.Mtu;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@SimulatedRdma
class SimulatedRdmaTest {
    private List<SimulatedDevice> seenBefore = List.of();

    @BeforeEach
    void remember(SimulatedDevice first) {
        seenBefore = List.of(first);
    }

    @AfterEach
    void theNetworkIsStillThere(SimulatedDevice first) {
        assertThat(first).isSameAs(seenBefore.getFirst());
    }

    @Test
    void devicesComeInOrder(Device first, Device second, SimulatedDevice simulated) {
        assertThat(List.of(first.name(), second.name())).containsExactly("rxe0", "rxe1");
        assertThat(simulated).isSameAs(seenBefore.getFirst());
    }

    @Test
    void aMessageGoesFromOneContextToTheOther(Context client, Context server) {
        assertThat(exchange(client, server, 1)).isEqualTo(1);
    }

    /// As a socket does.
    @Test
    void aContextMayBeClosedInTheBackground(Device device) {
        Context context = device.open();
        CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS).execute(context::close);
    }

    @Test
    @SimulatedRdma(hosts = 2, devices = 1, kernel = KernelProfile.LINUX_6_1, mtu = 4500)
    void theMethodsWishReplacesTheClasss(
            SimulatedNetwork network, SimulatedHost here, SimulatedHost there, Context client, Context server) {
        assertThat(network.hosts()).containsExactly(here, there);
        assertThat(here.profile()).isEqualTo(KernelProfile.LINUX_6_1);
        assertThat(client.port(1).activeMtu()).isEqualTo(Mtu.MTU_4096);
        assertThat(exchange(client, server, 1)).isEqualTo(1);
    }

    @Test
    @SimulatedRdma(loss = 0.3, seed = 11)
    void messagesSurviveAWireThatLosesPackets(SimulatedDevice sender, Context client, Context server) {
        assertThat(exchange(client, server, 30)).isEqualTo(30);
        assertThat(sender.lost()).isPositive();
    }

    @Test
    @SimulatedRdma(loss = 0.1, seed = 5)
    void connectionsByAddressCrossTheWire(SimulatedDevice client, SimulatedDevice server) throws Exception {
        var address = new InetSocketAddress("10.9.0.2", 7471);
        var options = ConnectionOptions.defaults().withMessages(16, 64);
        try (var listening = RdmaServer.listen(address, options)) {
            var echo = new FutureTask<>(() -> {
                try (var accepted = listening.accept()) {
                    for (int i = 0; i < 20; i++) {
                        accepted.messages().send("back: " + accepted.messages().receiveText());
                    }
                    return accepted.context().device().name();
                }
            });
            Thread.ofPlatform().start(echo);
            try (var connection = RdmaConnection.connect(address, options)) {
                for (int i = 0; i < 20; i++) {
                    connection.messages().send("message " + i);
                    assertThat(connection.messages().receiveText()).isEqualTo("back: message " + i);
                }
                assertThat(connection.context().device().name()).isEqualTo("rxe0");
            }
            assertThat(echo.get()).isEqualTo("rxe1");
        }
        assertThat(client.lost() + server.lost()).isPositive();
    }

    @Test
    @SimulatedRdma(delayMicros = 20_000)
    void closingMessagesWaitsForTheirDelivery() throws Exception {
        var address = new InetSocketAddress("10.9.0.2", 7471);
        var options = ConnectionOptions.defaults().withMessages(4, 64).withDrain(Duration.ofSeconds(20));
        try (var listening = RdmaServer.listen(address, options)) {
            var received = new FutureTask<>(() -> {
                try (var accepted = listening.accept()) {
                    return accepted.messages().receiveText();
                }
            });
            Thread.ofPlatform().start(received);
            try (var connection = RdmaConnection.connect(address, options)) {
                connection.messages().send("in flight");
                connection.messages().close();
            }
            assertThat(received.get()).isEqualTo("in flight");
        }
    }

    @Test
    void theDevicesOfTheTestAreThoseOfTheProcess(SimulatedDevice first, SimulatedDevice second) {
        try (var _ = Devices.open("rxe1")) {
            assertThat(List.of(first.contexts(), second.contexts())).containsExactly(0, 1);
        }
    }

    @Nested
    class WithAContext {
        private List<Context> seenBefore = List.of();

        @BeforeEach
        void remember(Context first) {
            seenBefore = List.of(first);
        }

        @Test
        void allMethodsOfATestGetTheSameContext(Context first, Context second, SimulatedDevice device) {
            assertThat(first).isSameAs(seenBefore.getFirst()).isNotSameAs(second);
            assertThat(device.contexts()).isOne();
        }

        @Test
        void aClosedContextIsReplaced(Context first) {
            first.close();
        }

        @AfterEach
        void theContextIsOpen(Context first) {
            assertThat(first.isClosed()).isFalse();
        }
    }

    @Nested
    class Inside {
        @Test
        void aNestedClassInheritsTheWish(Device first, Device second) {
            assertThat(first.name()).isNotEqualTo(second.name());
        }
    }

    @Nested
    @SimulatedRdma(virtualTime = true, loss = 0.3, seed = 3)
    class InVirtualTime {
        @Test
        void theSameSeedLosesTheSamePackets() {
            List<Object> first = run();
            assertThat(run()).isEqualTo(first);
            assertThat((long) first.getFirst()).isPositive();
        }

        /// Returns the number of lost packets and the duration of the messages.
        private static List<Object> run() {
            try (var parts = new TestNetwork(InVirtualTime.class.getAnnotation(SimulatedRdma.class))) {
                var network = (SimulatedNetwork) parts.part(SimulatedNetwork.class, 0);
                var sender = (SimulatedDevice) parts.part(SimulatedDevice.class, 0);
                exchange(
                        (Context) parts.part(Context.class, 0),
                        (Context) parts.part(Context.class, 1),
                        20,
                        () -> network.advance(Duration.ofMillis(1)));
                parts.closeContexts();
                return List.of(sender.lost(), network.now());
            }
        }
    }

    @SimulatedRdma(virtualTime = true, duplication = 0.5, seed = 3)
    private static final class Doubling {}

    @SimulatedRdma(virtualTime = true, corruption = 0.3, seed = 3)
    private static final class Corrupting {}

    @SimulatedRdma(virtualTime = true, delayMicros = 3000)
    private static final class Delaying {}

    @SimulatedRdma(virtualTime = true, devices = 0)
    private static final class Empty {}

    /// Counts and duration of twenty messages between the first two devices of a network.
    private record Seen(long duplicates, long missing, long lost, Duration time) {
        static Seen on(Class<?> annotated) {
            try (var parts = new TestNetwork(annotated.getAnnotation(SimulatedRdma.class))) {
                var network = (SimulatedNetwork) parts.part(SimulatedNetwork.class, 0);
                var client = (Context) parts.part(Context.class, 0);
                var server = (Context) parts.part(Context.class, 1);
                assertThat(exchange(client, server, 20, () -> network.advance(Duration.ofMillis(1)))).isEqualTo(20);
                var sent = client.hardwareCounters(1);
                var received = server.hardwareCounters(1);
                var seen = new Seen(
                        received.value("duplicate_request").orElseThrow(),
                        sent.value("sent_pkts").orElseThrow() - received.value("rcvd_pkts").orElseThrow(),
                        ((SimulatedDevice) parts.part(SimulatedDevice.class, 0)).lost(),
                        network.now());
                parts.closeContexts();
                return seen;
            }
        }
    }

    @Test
    void eachImpairmentReachesTheWire() {
        assertThat(Seen.on(Doubling.class).duplicates()).isPositive();
        assertThat(Seen.on(Corrupting.class)).satisfies(seen -> {
            assertThat(seen.missing()).isPositive();
            assertThat(seen.lost()).isZero();
        });
        assertThat(Seen.on(Delaying.class).time()).isGreaterThanOrEqualTo(Duration.ofMillis(20 * 2 * 3));
    }

    @Test
    void aNetworkMayHaveNoDevices() {
        try (var parts = new TestNetwork(Empty.class.getAnnotation(SimulatedRdma.class))) {
            assertThat(((SimulatedHost) parts.part(SimulatedHost.class, 0)).devices()).isEmpty();
            assertThat(parts.left()).isEmpty();
        }
    }

    /// Sends messages, and returns how many arrived unchanged.
    private static int exchange(Context client, Context server, int messages) {
        return exchange(client, server, messages, Thread::onSpinWait);
    }

    private static int exchange(Context client, Context server, int messages, Runnable pause) {
        var here = client.allocateProtectionDomain();
        var there = server.allocateProtectionDomain();
        var sent = client.createCompletionQueue(64);
        var received = server.createCompletionQueue(64);
        var from = here.allocate(4096, Access.LOCAL_WRITE);
        var to = there.allocate(4096, Access.LOCAL_WRITE);
        var sender = here.reliableConnection(sent).timeout(8).prepare();
        var receiver = there.reliableConnection(received).timeout(8).prepare();
        try (ReceiveBatch receives = receiver.beginReceive()) {
            for (int i = 0; i < messages; i++) {
                receives.receive(to, 64L * i, 64);
            }
            receives.submit();
        }
        var connected = sender.connect(receiver.endpoint());
        receiver.connect(sender.endpoint());
        int whole = 0;
        for (int i = 0; i < messages; i++) {
            from.segment().setString(0, "message " + i);
            try (SendBatch batch = connected.beginSend()) {
                batch.signaled().send().local(from, 0, 64).post();
                batch.submit();
            }
            while (sent.poll(1, completion -> assertThat(completion.isSuccess()).isTrue()) == 0) {
                pause.run();
            }
            while (received.poll(1, completion -> assertThat(completion.isSuccess()).isTrue()) == 0) {
                pause.run();
            }
            whole += to.segment().getString(64L * i).equals("message " + i) ? 1 : 0;
        }
        return whole;
    }
}
