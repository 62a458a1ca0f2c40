// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.rings;

import io.verbs4j.management.RingStatus;
import io.verbs4j.tools.common.Table;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/// Prints rings as a table.
final class RingsTable {
    private static final int BAR = 12;

    private RingsTable() {}

    /// @param before earlier snapshots, for rates; may be empty
    static void print(PrintWriter out, List<Reading> now, List<Reading> before) {
        var table = new Table(
                "context", "queue", "state", "fill", "of", "", "producer", "consumer", "oldest", "seen for",
                "completions",
                "per s");
        for (Reading reading : now) {
            RingStatus ring = reading.ring();
            Double rate = reading.rateSince(before);
            table.row(
                    reading.context(),
                    ring.queue(),
                    ring.state(),
                    ring.fill(),
                    ring.capacity(),
                    bar(ring.fill(), ring.capacity()),
                    ring.producerIndex(),
                    ring.consumerIndex(),
                    ring.fill() == 0 ? "-" : "wr_id " + ring.oldestWorkRequestId(),
                    ring.fill() == 0 ? "-" : String.format(Locale.ROOT, "%.1f s", ring.oldestSeenMillis() / 1000.0),
                    ring.completions() < 0 ? "-" : Long.toString(ring.completions()),
                    rate == null ? "-" : String.format(Locale.ROOT, "%.0f", rate));
        }
        table.print(out);
    }

    /// Draws the fill. A ring that is not empty has at least one mark.
    static String bar(int fill, int capacity) {
        int filled = fill == 0 || capacity == 0 ? 0 : Math.max(1, (int) ((long) fill * BAR / capacity));
        return "[" + "#".repeat(filled) + ".".repeat(BAR - filled) + "]";
    }
}
