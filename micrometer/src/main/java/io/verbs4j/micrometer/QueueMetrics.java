// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.micrometer;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.QueuePair;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.types.RingReading;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/// Binds the ring of a queue as two gauges. `verbs.queue.fill` is the number of elements in the ring, and
/// `verbs.queue.capacity` is the number of elements that the ring can hold. Both gauges have the tags `device`, `queue`
/// (a name that the program gives) and `kind` (`completions`, `sends`, `receives`, `shared receives`). If the fill of
/// completions is near the capacity, the program polls too slowly. If the fill of sends is near the capacity, the
/// program posts more than the device can process. If the fill of receives is near 0, the peer's sends may be delayed.
///
/// ```
/// QueueMetrics.of(queue, "requests").bindTo(registry);
/// ```
/// If the queue is closed, or the provider does not expose its rings, the gauges are `NaN`. A gauge keeps its queue
/// reachable until [#close()]. Thread-safe.
///
/// Give each queue of a device and kind its own name. Of several gauges with the same tags, a registry keeps the first.
public final class QueueMetrics implements MeterBinder, AutoCloseable {
    private final Supplier<Optional<RingReading>> ring;
    private final Tags tags;
    private final BoundMeters meters = new BoundMeters();

    private QueueMetrics(Supplier<Optional<RingReading>> ring, Context context, String name, String kind) {
        this.ring = ring;
        this.tags = Tags.of("device", context.device().name(), "queue", name, "kind", kind);
    }

    /// Returns a binder for the completions that were not polled yet.
    public static QueueMetrics of(CompletionQueue queue, String name) {
        return new QueueMetrics(queue::readRing, queue.context(), name, "completions");
    }

    /// Returns a binder for the outstanding sends.
    public static QueueMetrics ofSends(QueuePair queuePair, String name) {
        return new QueueMetrics(queuePair::readSendRing, context(queuePair), name, "sends");
    }

    /// Returns a binder for the posted receives that were not consumed. For a queue pair with a shared receive queue,
    /// use [#of(SharedReceiveQueue, String)].
    public static QueueMetrics ofReceives(QueuePair queuePair, String name) {
        return new QueueMetrics(queuePair::readReceiveRing, context(queuePair), name, "receives");
    }

    /// Returns a binder for the posted receives that were not consumed.
    public static QueueMetrics of(SharedReceiveQueue queue, String name) {
        return new QueueMetrics(queue::readRing, queue.protectionDomain().context(), name, "shared receives");
    }

    private static Context context(QueuePair queuePair) {
        return queuePair.protectionDomain().context();
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        gauge(registry, "verbs.queue.fill", "elements in the ring", RingReading::fill);
        gauge(registry, "verbs.queue.capacity", "elements that the ring can hold", RingReading::capacity);
    }

    private void gauge(MeterRegistry registry, String name, String description, ToIntFunction<RingReading> value) {
        meters.add(
                registry,
                Gauge.builder(name, () -> read(value))
                        .description(description)
                        .tags(tags)
                        .register(registry));
    }

    private double read(ToIntFunction<RingReading> value) {
        try {
            return ring.get().map(reading -> (double) value.applyAsInt(reading)).orElse(Double.NaN);
        } catch (IllegalStateException e) {
            return Double.NaN; // closed
        }
    }

    /// Removes the gauges from the registries. Idempotent.
    @Override
    public void close() {
        meters.remove();
    }
}
