// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import io.verbs4j.abi.failure.Initial;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Reads the system property of [Tracing].
final class TraceOptions {
    private TraceOptions() {}

    /// Parses a value of the property once.
    ///
    /// @return supplies the trace, or null if the value is blank; after a failure, each call throws an exception with
    ///     the reason
    static Supplier<Tracer.@Nullable Trace> parsed(String value) {
        return Initial.of(() -> trace(value));
    }

    /// Parses a value of the property.
    ///
    /// @return null for nothing
    /// @throws IllegalArgumentException if a word is unknown
    static Tracer.@Nullable Trace trace(String value) {
        if (value.isBlank()) {
            return null;
        }
        TraceLevel level = null;
        Path text = null;
        Path json = null;
        boolean dataPath = false;
        for (String word : value.split(",", -1)) {
            String option = word.strip();
            if (option.startsWith("text=")) {
                text = Path.of(option.substring("text=".length()));
            } else if (option.startsWith("json=")) {
                json = Path.of(option.substring("json=".length()));
            } else if (option.equals("data-path")) {
                dataPath = true;
            } else {
                level = level(option);
            }
        }
        TraceSink sink = json == null ? null : new JsonTrace(open(json));
        if (sink == null || level != null || text != null) {
            Writer out = text == null
                    ? new BufferedWriter(new OutputStreamWriter(System.err, System.err.charset()))
                    : open(text);
            TraceSink lines = new TextTrace(out, level == null ? TraceLevel.CALLS : level);
            sink = sink == null ? lines : lines.and(sink);
        }
        return new Tracer.Trace(sink, dataPath, TraceOptions::warn);
    }

    /// Logs the sink's failure, because the property has no caller that could query it.
    private static void warn(RuntimeException failure) {
        System.getLogger("io.verbs4j.tracing")
                .log(System.Logger.Level.WARNING, "the trace ends here: " + failure.getMessage());
    }

    private static TraceLevel level(String word) {
        for (TraceLevel level : TraceLevel.values()) {
            if (level.name().toLowerCase(Locale.ROOT).equals(word)) {
                return level;
            }
        }
        throw new IllegalArgumentException(
                Tracing.PROPERTY + " is a list of calls, fields, bytes, text=FILE, json=FILE,"
                        + " data-path, not '" + word + "'");
    }

    private static Writer open(Path file) {
        try {
            return Files.newBufferedWriter(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the trace to " + file, e);
        }
    }
}
