// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.rings;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.management.openmbean.CompositeData;
import org.jspecify.annotations.Nullable;

/// A snapshot of a ring (`io.verbs4j.management.RingStatus`), as received from the program.
///
/// @param context the device's name and the context's number
/// @param nanoTime time of the snapshot, by the program's own clock
record Reading(
        String context,
        long nanoTime,
        String queue,
        String state,
        int capacity,
        int fill,
        int producerIndex,
        int consumerIndex,
        long oldestWorkRequestId,
        long oldestSeenMillis,
        long completions) {
    static final Comparator<Reading> ORDER = Comparator.comparing(Reading::context)
            .thenComparing(reading -> reading.queue.replaceAll("\\d+.*", ""))
            .thenComparingInt(reading -> Integer.parseUnsignedInt(reading.queue.replaceAll("\\D", "")))
            .thenComparing(Reading::queue, Comparator.reverseOrder());

    private static final double NANOS_PER_SECOND = 1e9;

    static Reading of(String context, long nanoTime, CompositeData ring) {
        return new Reading(
                context,
                nanoTime,
                (String) ring.get("queue"),
                (String) ring.get("state"),
                (Integer) ring.get("capacity"),
                (Integer) ring.get("fill"),
                (Integer) ring.get("producerIndex"),
                (Integer) ring.get("consumerIndex"),
                (Long) ring.get("oldestWorkRequestId"),
                (Long) ring.get("oldestSeenMillis"),
                (Long) ring.get("completions"));
    }

    /// Returns the completions per second since an earlier snapshot.
    ///
    /// @return null if there is none of the same ring, or the ring does not count completions
    @Nullable
    Double rateSince(List<Reading> before) {
        for (Reading then : before) {
            if (completions >= 0 && then.context.equals(context) && then.queue.equals(queue)
                    && nanoTime > then.nanoTime) {
                return (completions - then.completions) * NANOS_PER_SECOND / (nanoTime - then.nanoTime);
            }
        }
        return null;
    }

    /// Returns the members for JSON. Values that the ring lacks are omitted.
    Map<String, Object> members(List<Reading> before) {
        var members = new LinkedHashMap<String, Object>();
        members.put("context", context);
        members.put("queue", queue);
        if (!state.isEmpty()) {
            members.put("state", state);
        }
        members.put("capacity", capacity);
        members.put("fill", fill);
        members.put("producerIndex", producerIndex);
        members.put("consumerIndex", consumerIndex);
        if (fill > 0) {
            members.put("oldestWorkRequestId", oldestWorkRequestId);
            members.put("oldestSeenMillis", oldestSeenMillis);
        }
        if (completions >= 0) {
            members.put("completions", completions);
            Double rate = rateSince(before);
            if (rate != null) {
                members.put("completionsPerSecond", rate);
            }
        }
        return members;
    }
}
