// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.rings;

import io.verbs4j.management.RingStatus;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A snapshot of a ring, as received from the program.
///
/// @param context the device's name and the context's number
/// @param nanoTime time of the snapshot, by the program's own clock
record Reading(String context, long nanoTime, RingStatus ring) {
    static final Comparator<Reading> ORDER = Comparator.comparing(Reading::context)
            .thenComparing(reading -> reading.ring.queue().replaceAll("\\d+.*", ""))
            .thenComparingInt(reading -> Integer.parseUnsignedInt(reading.ring.queue().replaceAll("\\D", "")))
            .thenComparing(reading -> reading.ring.queue(), Comparator.reverseOrder());

    private static final double NANOS_PER_SECOND = 1e9;

    /// Returns the completions per second since an earlier snapshot.
    ///
    /// @return null if there is none of the same ring, or the ring does not count completions
    @Nullable
    Double rateSince(List<Reading> before) {
        for (Reading then : before) {
            if (ring.completions() >= 0 && then.context.equals(context) && then.ring.queue().equals(ring.queue())
                    && nanoTime > then.nanoTime) {
                return (ring.completions() - then.ring.completions()) * NANOS_PER_SECOND / (nanoTime - then.nanoTime);
            }
        }
        return null;
    }

    /// Returns the members for JSON. Values that the ring lacks are omitted.
    Map<String, Object> members(List<Reading> before) {
        var members = new LinkedHashMap<String, Object>();
        members.put("context", context);
        members.put("queue", ring.queue());
        if (!ring.state().isEmpty()) {
            members.put("state", ring.state());
        }
        members.put("capacity", ring.capacity());
        members.put("fill", ring.fill());
        members.put("producerIndex", ring.producerIndex());
        members.put("consumerIndex", ring.consumerIndex());
        if (ring.fill() > 0) {
            members.put("oldestWorkRequestId", ring.oldestWorkRequestId());
            members.put("oldestSeenMillis", ring.oldestSeenMillis());
        }
        if (ring.completions() >= 0) {
            members.put("completions", ring.completions());
            Double rate = rateSince(before);
            if (rate != null) {
                members.put("completionsPerSecond", rate);
            }
        }
        return members;
    }
}
