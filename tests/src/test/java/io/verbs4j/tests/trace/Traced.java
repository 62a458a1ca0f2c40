// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tracing.TraceEntry;
import io.verbs4j.tracing.TraceField;
import io.verbs4j.tracing.TracePart;
import io.verbs4j.tracing.Tracing;
import java.util.ArrayList;
import java.util.List;

/// A trace that is kept in memory while it runs.
public final class Traced implements AutoCloseable {
    private final List<TraceEntry> entries = new ArrayList<>();
    private final Tracing.Session session;

    /// Starts to trace all devices that are opened from now on.
    ///
    /// @param dataPath whether to trace rings, too
    public Traced(boolean dataPath) {
        session = Tracing.start(this::add, dataPath);
    }

    private void add(TraceEntry entry) {
        synchronized (entries) {
            entries.add(entry);
        }
    }

    /// Returns all entries so far.
    public List<TraceEntry> entries() {
        synchronized (entries) {
            return List.copyOf(entries);
        }
    }

    /// Returns the values that a field had so far, in order.
    public List<Long> values(String path) {
        return entries().stream()
                .flatMap(entry -> entry.parts().stream())
                .flatMap(part -> part.fields().stream())
                .filter(field -> field.path().equals(path))
                .map(TraceField::value)
                .toList();
    }

    /// All explanations so far, a line each.
    String explanations() {
        return String.join("\n", entries().stream().map(TraceEntry::explanation).toList());
    }

    /// The last entry that failed.
    public TraceEntry lastFailure() {
        return entries().stream().filter(TraceEntry::failed).reduce((one, other) -> other).orElseThrow();
    }

    /// Asserts that each command's bytes are there, and that each byte of each part belongs to a known field.
    public void assertEveryByteIsExplained() {
        assertThat(entries())
                .filteredOn(entry -> entry.kind() == TraceEntry.Kind.COMMAND)
                .isNotEmpty()
                .allSatisfy(entry -> assertThat(entry.parts()).as(entry.command()).isNotEmpty());
        assertThat(entries()).allSatisfy(entry -> {
            for (TracePart part : entry.parts()) {
                assertThat(part.isExplained())
                        .as(() -> entry.command() + ", " + part.title() + ": " + part.fields())
                        .isTrue();
            }
        });
    }

    @Override
    public void close() {
        session.close();
    }
}
