// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.management.RingMXBean;
import io.verbs4j.management.RingStatus;
import io.verbs4j.types.RingReading;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The management view of a ring.
///
/// A ring does not record when its oldest element was added. An observer can only measure how long the ring has not
/// advanced.
final class ManagedRing implements RingMXBean {
    private final String queue;
    private final Supplier<String> state;
    private final Supplier<Optional<RingReading>> reader;
    private final LongSupplier completions;
    private int lastConsumerIndex = -1; // guarded by this
    private long lastId; // guarded by this
    private long seenSince; // guarded by this

    ManagedRing(
            String queue, Supplier<String> state, Supplier<Optional<RingReading>> reader, LongSupplier completions) {
        this.queue = queue;
        this.state = state;
        this.reader = reader;
        this.completions = completions;
    }

    /// Returns the ring's state. Empty if the queue is closed or being closed: a close does not wait for observers.
    private Optional<RingReading> read() {
        try {
            return reader.get();
        } catch (IllegalStateException closed) {
            return Optional.empty();
        }
    }

    @Override
    public synchronized @Nullable RingStatus getStatus() {
        RingReading ring = read().orElse(null);
        if (ring == null) {
            return null;
        }
        long now = System.nanoTime();
        if (ring.isEmpty() || ring.consumerIndex() != lastConsumerIndex || ring.oldestWorkRequestId() != lastId) {
            lastConsumerIndex = ring.isEmpty() ? -1 : ring.consumerIndex();
            lastId = ring.oldestWorkRequestId();
            seenSince = now;
        }
        return new RingStatus(
                queue,
                state.get(),
                ring.capacity(),
                ring.fill(),
                ring.producerIndex(),
                ring.consumerIndex(),
                ring.oldestWorkRequestId(),
                TimeUnit.NANOSECONDS.toMillis(now - seenSince),
                completions.getAsLong());
    }

    @Override
    public int getFill() {
        return read().map(RingReading::fill).orElse(-1);
    }

    @Override
    public int getCapacity() {
        return read().map(RingReading::capacity).orElse(-1);
    }

    @Override
    public long getCompletions() {
        return completions.getAsLong();
    }
}
