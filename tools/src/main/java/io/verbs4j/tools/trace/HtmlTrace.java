// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.trace;

import io.verbs4j.tools.capture.WireEntries;
import io.verbs4j.tools.common.Json;
import io.verbs4j.tracing.JsonTrace;
import io.verbs4j.tracing.TraceEntry;
import io.verbs4j.tracing.TraceSink;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/// Records a trace, and writes it as a self-contained HTML page. The page contains the entries as JSON, and a script
/// that shows them.
public final class HtmlTrace implements TraceSink {
    private static final String PAGE = "page.html";

    private final List<TraceEntry> entries = new ArrayList<>();
    private Map<Long, List<Long>> ties = Map.of();

    /// Creates an empty trace.
    public HtmlTrace() {}

    @Override
    public void accept(TraceEntry entry) {
        synchronized (entries) {
            entries.add(entry);
        }
    }

    /// Adds packets.
    ///
    /// @param tied the packets, with the entries that they belong to
    void add(WireEntries.Tied tied) {
        tied.packets().forEach(this::accept);
        ties = tied.ties();
    }

    /// Returns all entries so far.
    List<TraceEntry> entries() {
        synchronized (entries) {
            return List.copyOf(entries);
        }
    }

    /// Writes the page.
    ///
    /// @param title title of the page
    public void write(Path file, String title) {
        try {
            Files.writeString(file, page(title));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write to " + file, e);
        }
    }

    /// Returns the page, with entries in the order of their start.
    String page(String title) throws IOException {
        String data;
        synchronized (entries) {
            data = entries.stream()
                    .sorted(Comparator.comparingLong(TraceEntry::startNanos))
                    .map(JsonTrace::json)
                    .collect(Collectors.joining(",\n", "[", "]"));
        }
        try (InputStream page = Objects.requireNonNull(HtmlTrace.class.getResourceAsStream(PAGE))) {
            String template = new String(page.readAllBytes(), StandardCharsets.UTF_8);
            // The data must not end the script that contains it.
            return template.replace("%TITLE%", escaped(title))
                    .replace("%DATA%", data.replace("<", "\\u003c"))
                    .replace("%TIES%", Json.line(ties));
        }
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }
}
