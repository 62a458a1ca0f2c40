// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.jmx.Beans;
import io.verbs4j.management.ContextMXBean;
import io.verbs4j.management.RingStatus;
import io.verbs4j.management.RingsSnapshot;
import io.verbs4j.spi.ProviderCompletionQueue;
import io.verbs4j.types.RingReading;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// The management view of a context. This object exists only if the management interface is on.
final class ManagedContext implements ContextMXBean {
    private static final AtomicLong NUMBERS = new AtomicLong();

    private final Context context;
    private final String name;
    private final Runnable unregister;
    private final Map<VerbsObject, List<Shown>> shown = Collections.synchronizedMap(new IdentityHashMap<>());

    /// A ring, and the action that removes its bean.
    private record Shown(ManagedRing ring, Runnable unregister) {}

    ManagedContext(Context context) {
        this.context = context;
        this.name = context.device().name() + "-" + NUMBERS.incrementAndGet();
        this.unregister = Beans.register(this, "Context", Map.of("name", name));
    }

    /// Wraps a provider's queue that the management interface shows.
    static ProviderCompletionQueue counted(ProviderCompletionQueue queue) {
        return new CountedCompletionQueue(queue);
    }

    /// Registers the rings of a queue that was created.
    ///
    /// @param id distinguishes the queue from others, since the kernel reuses its numbers
    void add(long id, VerbsObject object) {
        var rings = new ArrayList<Shown>();
        switch (object) {
            case QueuePair pair -> {
                String queue = "qp " + pair.number();
                Supplier<String> state = () -> pair.state().toString();
                rings.add(show(id, queue + " send", state, pair::readSendRing, ManagedContext::notCounted));
                if (pair.sharedReceiveQueue() == null) {
                    rings.add(show(id, queue + " receive", state, pair::readReceiveRing, ManagedContext::notCounted));
                }
            }
            case CompletionQueue queue ->
                rings.add(show(
                        id,
                        "cq " + Integer.toUnsignedString(queue.provider().handle()),
                        () -> "",
                        queue::readRing,
                        queue.provider() instanceof CountedCompletionQueue counted ? counted::taken
                                : ManagedContext::notCounted));
            case SharedReceiveQueue queue ->
                rings.add(show(
                        id,
                        "srq " + Integer.toUnsignedString(queue.provider().handle()),
                        () -> "",
                        queue::readRing,
                        ManagedContext::notCounted));
            default -> {}
        }
        shown.put(object, rings);
    }

    private static long notCounted() {
        return -1;
    }

    private Shown show(
            long id, String queue, Supplier<String> state, Supplier<Optional<RingReading>> reader,
            LongSupplier completions) {
        var ring = new ManagedRing(queue, state, reader, completions);
        var keys = new TreeMap<>(Map.of("context", name, "name", queue, "id", Long.toString(id)));
        return new Shown(ring, Beans.register(ring, "Ring", keys));
    }

    /// Unregisters the rings of a queue.
    void remove(VerbsObject object) {
        List<Shown> rings = shown.remove(object);
        if (rings != null) {
            rings.forEach(ring -> ring.unregister.run());
        }
    }

    void close() {
        unregister.run();
    }

    @Override
    public String getDevice() {
        return context.device().name();
    }

    @Override
    public String getProvider() {
        return context.providerName();
    }

    @Override
    public RingsSnapshot getRings() {
        List<Shown> rings;
        synchronized (shown) {
            rings = shown.values().stream().flatMap(List::stream).toList();
        }
        long now = System.nanoTime();
        var statuses = new ArrayList<RingStatus>();
        for (Shown each : rings) {
            RingStatus status = each.ring.getStatus();
            if (status != null) {
                statuses.add(status);
            }
        }
        statuses.sort(Comparator.comparing(RingStatus::queue));
        return new RingsSnapshot(now, statuses);
    }
}
