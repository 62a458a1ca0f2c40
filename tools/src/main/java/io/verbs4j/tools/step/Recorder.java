// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.step;

import io.verbs4j.tracing.TraceEntry;
import io.verbs4j.tracing.TraceSink;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Records a trace, and returns new entries.
final class Recorder implements TraceSink {
    private final List<TraceEntry> entries = new ArrayList<>(); // guarded by itself
    private int shown;

    @Override
    public void accept(TraceEntry entry) {
        synchronized (entries) {
            entries.add(entry);
        }
    }

    /// Returns all entries.
    List<TraceEntry> all() {
        synchronized (entries) {
            return List.copyOf(entries);
        }
    }

    /// Returns the entries that were not returned before, in the order of their start.
    List<TraceEntry> news() {
        synchronized (entries) {
            List<TraceEntry> news = entries.subList(shown, entries.size())
                    .stream()
                    .sorted(Comparator.comparingLong(TraceEntry::startNanos))
                    .toList();
            shown = entries.size();
            return news;
        }
    }
}
