// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.simulator.junit.SimulatedRdma;
import io.verbs4j.sockets.RdmaSelectorProvider;
import io.verbs4j.sockets.SocketReport;
import io.verbs4j.sockets.SocketRules;
import io.verbs4j.types.Access;
import io.verbs4j.types.HardwareCounters;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@SimulatedRdma
class MetricsTest {
    private static final Duration LONG = Duration.ofSeconds(10);
    private static final int SENDS = 3;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @AfterEach
    void close() {
        registry.close();
    }

    private double value(String name, String... tags) {
        return registry.get(name).tags(tags).meter().measure().iterator().next().getValue();
    }

    /// Sends messages of eight bytes from a queue pair to itself.
    private static QueuePair talk(ProtectionDomain domain, CompletionQueue queue) throws InterruptedException {
        var prepared = domain.reliableConnection(queue).prepare();
        QueuePair queuePair = prepared.connect(prepared.endpoint());
        var memory = domain.allocate(16, Access.LOCAL_WRITE);
        try (var receives = queuePair.beginReceive()) {
            for (int i = 0; i < SENDS + 1; i++) {
                receives.receive(memory, 8, 8);
            }
            receives.submit();
        }
        try (var sends = queuePair.beginSend()) {
            for (int i = 0; i < SENDS; i++) {
                sends.signaled().send().local(memory, 0, 8).post();
            }
            sends.submit();
        }
        long deadline = System.nanoTime() + LONG.toNanos();
        while (queue.readRing().orElseThrow().fill() < 2 * SENDS && System.nanoTime() < deadline) {
            Thread.sleep(1);
        }
        return queuePair;
    }

    @Test
    void countersOfAPortGrowWithTrafficAndOutliveTheContext(Context context) throws InterruptedException {
        var metrics = new PortMetrics(context, 1, Tags.of("service", "store"));
        metrics.bindTo(registry);
        double before = value("verbs.port.sent_pkts", "device", "rxe0", "port", "1", "service", "store");

        talk(context.allocateProtectionDomain(), context.createCompletionQueue(16));
        Thread.sleep(context.hardwareCounters(1).lifespan().plusMillis(10));

        double after = value("verbs.port.sent_pkts");
        assertThat(after - before).isGreaterThanOrEqualTo(SENDS);
        assertThat(after).isEqualTo(context.hardwareCounters(1).value("sent_pkts").orElseThrow());
        assertThat(registry.getMeters()).hasSameSizeAs(context.hardwareCounters(1).values().keySet());
        context.close();
        Thread.sleep(20);
        assertThat(value("verbs.port.sent_pkts")).isEqualTo(after);
        assertThatThrownBy(() -> metrics.bindTo(new SimpleMeterRegistry())).isInstanceOf(IllegalStateException.class);
        metrics.close();
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void aQueueShowsItsFillUntilItIsClosed(Context context) throws InterruptedException {
        var domain = context.allocateProtectionDomain();
        var queue = context.createCompletionQueue(16);
        QueuePair queuePair = talk(domain, queue);
        var shared = domain.createSharedReceiveQueue(4, 1);
        try (
                var completions = QueueMetrics.of(queue, "all");
                var sends = QueueMetrics.ofSends(queuePair, "peer");
                var receives = QueueMetrics.ofReceives(queuePair, "peer");
                var sharedReceives = QueueMetrics.of(shared, "pool")) {
            completions.bindTo(registry);
            sends.bindTo(registry);
            receives.bindTo(registry);
            sharedReceives.bindTo(registry);

            assertThat(value("verbs.queue.fill", "kind", "completions", "queue", "all", "device", "rxe0"))
                    .isEqualTo(2 * SENDS);
            assertThat(value("verbs.queue.capacity", "kind", "completions")).isEqualTo(queue.capacity());
            assertThat(value("verbs.queue.fill", "kind", "sends", "queue", "peer")).isZero();
            assertThat(value("verbs.queue.fill", "kind", "receives")).isEqualTo(1);
            assertThat(value("verbs.queue.fill", "kind", "shared receives")).isZero();
            assertThat(value("verbs.queue.capacity", "kind", "shared receives")).isEqualTo(shared.capacity());

            queue.poll(1, _ -> {});
            assertThat(value("verbs.queue.fill", "kind", "completions")).isEqualTo(2 * SENDS - 1);
            queuePair.close();
            assertThat(value("verbs.queue.fill", "kind", "sends")).isNaN();
            assertThat(registry.getMeters()).extracting(Meter::getId)
                    .hasSize(8)
                    .allSatisfy(id -> assertThat(id.getTags()).contains(Tag.of("device", "rxe0")));
        }
        assertThat(registry.getMeters()).isEmpty();
    }

    /// A program may bind the same meters to several registries, for example for two exporters.
    @Test
    void metersAreRemovedFromEachRegistry(Context context) {
        var second = new SimpleMeterRegistry();
        try (
                var sockets = new SocketMetrics();
                var port = new PortMetrics(context, 1);
                var queue = QueueMetrics.of(context.createCompletionQueue(16), "all")) {
            for (MeterBinder binder : List.of(sockets, port, queue)) {
                binder.bindTo(registry);
                binder.bindTo(second);
            }
            assertThat(registry.getMeters()).hasSameSizeAs(second.getMeters());
            assertThat(second.getMeters()).extracting(meter -> meter.getId().getDescription())
                    .allSatisfy(description -> assertThat(description).isNotBlank());
        }
        assertThat(registry.getMeters()).isEmpty();
        assertThat(second.getMeters()).isEmpty();
        second.close();
    }

    /// The kernel refreshes its counters at intervals, so more frequent reads would only waste system calls.
    @ParameterizedTest
    @CsvSource({"12, 12", "10, 10", "0, 10"})
    void aPortIsReadOncePerInterval(long lifespanMillis, long intervalMillis) {
        long interval = intervalMillis * 1_000_000;
        var reads = new AtomicLong();
        var now = new AtomicLong(Long.MAX_VALUE);
        var counters = new PortCounters(
                () -> new HardwareCounters(
                        Duration.ofMillis(lifespanMillis), new TreeMap<>(Map.of("reads", reads.incrementAndGet()))),
                now::get);
        for (int read = 1; read <= 3; read++) {
            assertThat(counters.value("reads")).isEqualTo(read);
            now.addAndGet(interval - 1);
            assertThat(counters.value("reads")).isEqualTo(read);
            now.addAndGet(1);
        }
        assertThat(counters.names()).containsExactly("reads");
        assertThat(counters.value("reads")).isEqualTo(4);
        assertThat(counters.value("no such counter")).isZero();
    }

    @Test
    void countersAreUnsigned() {
        assertThat(PortCounters.unsigned(-1)).isEqualTo(0x1p64);
        assertThat(PortCounters.unsigned(Long.MIN_VALUE)).isEqualTo(0x1p63);
        assertThat(PortCounters.unsigned(5)).isEqualTo(5);
    }

    /// A program may close a binder a second time, after another binder has registered the same meters.
    @Test
    void aSecondCloseRemovesNoMetersOfOthers(Context context) {
        var first = new PortMetrics(context, 1);
        first.bindTo(registry);
        int meters = registry.getMeters().size();
        first.close();
        try (var second = new PortMetrics(context, 1)) {
            second.bindTo(registry);
            first.close();
            assertThat(registry.getMeters()).hasSize(meters);
        }
        assertThat(registry.getMeters()).isEmpty();
    }

    /// A thread may bind while another thread closes. In this test, the close itself causes the bind.
    @Test
    void aMeterThatIsBoundDuringACloseIsRemovedByTheNextClose() {
        var second = new SimpleMeterRegistry();
        var metrics = new SocketMetrics();
        metrics.bindTo(registry);
        registry.config().onMeterRemoved(_ -> metrics.bindTo(second));
        metrics.close();
        metrics.close();
        assertThat(second.getMeters()).isEmpty();
        second.close();
    }

    /// Connects twice and accepts once.
    private static void connectOverRdma() throws IOException {
        var provider = new RdmaSelectorProvider(SocketRules.parse("test", List.of("rdma connect * *")));
        try (
                var server = provider.openServerSocketChannel().bind(new InetSocketAddress("10.9.0.2", 0));
                var first = provider.openSocketChannel();
                var second = provider.openSocketChannel()) {
            first.connect(server.getLocalAddress());
            server.accept().close();
            second.connect(server.getLocalAddress());
        }
    }

    private static void connectAfterAFallback() throws IOException {
        var provider =
                new RdmaSelectorProvider(SocketRules.parse("test", List.of("rdma-or-tcp connect 127.0.0.1 *")));
        try (
                var server = provider.openServerSocketChannel().bind(new InetSocketAddress("127.0.0.1", 0));
                var client = provider.openSocketChannel()) {
            client.connect(server.getLocalAddress());
            server.accept().close();
        }
    }

    /// A registry has only weak references to what its meters count.
    @Test
    void socketsAreCountedAfterTheirBinderIsCollected() throws IOException {
        WeakReference<SocketMetrics> binder = bindSockets();
        for (long start = System.nanoTime(); binder.get() != null && System.nanoTime() - start < LONG.toNanos();) {
            System.gc();
        }
        assertThat(binder.get()).isNull();
        double fallbacks = value("verbs.sockets.fallbacks");
        double accepts = value("verbs.sockets", "transport", "tcp", "action", "accept");
        connectAfterAFallback();
        assertThat(value("verbs.sockets.fallbacks")).isEqualTo(fallbacks + 1);
        assertThat(value("verbs.sockets", "transport", "tcp", "action", "accept")).isEqualTo(accepts + 1);
    }

    private WeakReference<SocketMetrics> bindSockets() {
        var metrics = new SocketMetrics();
        metrics.bindTo(registry);
        return new WeakReference<>(metrics);
    }

    @Test
    void socketsAndFallbacksAreCounted() throws IOException {
        var metrics = new SocketMetrics();
        metrics.bindTo(registry);
        double before = value("verbs.sockets.fallbacks");
        connectAfterAFallback();
        assertThat(value("verbs.sockets.fallbacks")).isEqualTo(before + 1);
        assertThat(value("verbs.sockets", "transport", "tcp", "action", "accept")).isPositive();
        connectOverRdma();
        SocketReport report;
        List<Double> values;
        do { // the peers' counts may still grow
            report = SocketReport.now();
            values = List.of(
                    value("verbs.sockets", "transport", "rdma", "action", "connect"),
                    value("verbs.sockets", "transport", "rdma", "action", "accept"),
                    value("verbs.sockets", "transport", "tcp", "action", "connect"),
                    value("verbs.sockets", "transport", "tcp", "action", "accept"));
        } while (!report.equals(SocketReport.now()));
        assertThat(values).containsExactly(
                (double) report.rdmaConnects(),
                (double) report.rdmaAccepts(),
                (double) report.tcpConnects(),
                (double) report.tcpAccepts());
        metrics.close();
        assertThat(registry.getMeters()).isEmpty();
    }
}
