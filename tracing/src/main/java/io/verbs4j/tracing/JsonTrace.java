// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import io.verbs4j.types.Errno;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.HexFormat;
import java.util.Locale;

/// Writes a trace for programs: one JSON object per line. The object has the components of [TraceEntry], [TracePart]
/// and [TraceField], with the kind of the entry instead of its subject. Bytes are hexadecimal digits. A number of up to
/// 64 bits appears as text in `text`, and as a number in `value`.
public final class JsonTrace implements TraceSink {
    private final Writer out;

    /// @param out flushed after each entry; not closed
    public JsonTrace(Writer out) {
        this.out = out;
    }

    @Override
    public void accept(TraceEntry entry) {
        try {
            out.write(json(entry));
            out.write('\n');
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns an entry as one JSON object.
    public static String json(TraceEntry entry) {
        var json = new JsonText();
        json.open('{');
        json.member("number", entry.number());
        json.member("kind", entry.kind().name().toLowerCase(Locale.ROOT));
        json.member("startNanos", entry.startNanos());
        json.member("durationNanos", entry.durationNanos());
        json.member("thread", entry.thread());
        json.member("device", entry.device());
        json.member("verb", entry.verb());
        json.member("command", entry.command());
        json.member("transport", entry.transport());
        json.member("arguments", entry.arguments());
        json.member("outcome", entry.outcome());
        json.member("result", entry.result());
        json.member("errno", entry.result() < 0 ? Errno.name((int) -entry.result()) : "");
        json.member("explanation", entry.explanation());
        json.member("failed", entry.failed());
        json.name("parts");
        json.open('[');
        for (TracePart part : entry.parts()) {
            part(json, part);
        }
        json.close(']');
        json.close('}');
        return json.toString();
    }

    private static void part(JsonText json, TracePart part) {
        json.open('{');
        json.member("title", part.title());
        json.member("struct", part.struct());
        json.member("direction", part.direction().name().toLowerCase(Locale.ROOT));
        json.member("address", "0x" + Long.toHexString(part.address()));
        json.member("bytes", HexFormat.of().formatHex(part.bytes()));
        json.name("fields");
        json.open('[');
        for (TraceField field : part.fields()) {
            json.open('{');
            json.member("path", field.path());
            json.member("offset", field.offset());
            json.member("size", field.size());
            json.member("value", field.value());
            json.member("text", field.text());
            json.member("meaning", field.meaning());
            json.member("padding", field.padding());
            json.close('}');
        }
        json.close(']');
        json.close('}');
    }
}
