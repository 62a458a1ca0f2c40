// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.soak;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/// Counts what the threads of a soak do.
final class Tally {
    /// Things that are counted. The first ones are completions.
    enum Item {
        /// Messages that were sent.
        SENT,
        /// Messages that arrived, whole and in order.
        RECEIVED,
        /// RDMA writes and reads, whose bytes came back as they were written.
        WRITTEN_OR_READ,
        /// Atomic additions, whose former values had neither gap nor repetition.
        ADDED,
        /// Binds and invalidations of memory windows.
        BOUND_OR_INVALIDATED,
        /// Work requests that a queue pair in ERR has flushed.
        FLUSHED,
        /// Work requests that completed silently, as was asked for, which the next completion shows.
        SILENT,
        /// Work requests under way when their queue pair was closed.
        DROPPED,
        /// Queue pairs that were made.
        QUEUE_PAIRS,
        /// Queue pairs that were closed while other threads used them.
        CLOSED_IN_USE,
        /// Queue pairs that were reset and connected again.
        RESET,
        /// Queue pairs whose attributes were changed in use.
        MODIFIED,
        /// Contexts that were opened and closed beside.
        CONTEXTS,
        /// Regions that were registered, changed and closed beside.
        REGIONS,
        /// Queues that were resized.
        RESIZED,
        /// Waits for a completion channel or for asynchronous events.
        AWAITED,
        /// Batches that were begun and left.
        ABANDONED;

        boolean isCompletion() {
            return compareTo(FLUSHED) <= 0;
        }
    }

    private final Map<Item, LongAdder> counts = new EnumMap<>(Item.class);

    Tally() {
        for (Item item : Item.values()) {
            counts.put(item, new LongAdder());
        }
    }

    void count(Item item) {
        add(item, 1);
    }

    void add(Item item, long times) {
        Objects.requireNonNull(counts.get(item)).add(times);
    }

    long of(Item item) {
        return Objects.requireNonNull(counts.get(item)).sum();
    }

    /// Returns the number of all completions that were polled.
    long completions() {
        return counts.keySet().stream().filter(Item::isCompletion).mapToLong(this::of).sum();
    }

    @Override
    public String toString() {
        return counts.keySet()
                .stream()
                .map(item -> item.name().toLowerCase(Locale.ROOT).replace('_', ' ') + " " + of(item))
                .collect(Collectors.joining(", ", completions() + " completions: ", ""));
    }
}
