// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import io.verbs4j.types.Errno;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.Locale;

/// Writes a trace as text. The first line of an entry contains the milliseconds since the start of the trace, the
/// device, the verb, the command's C name, the arguments, the result after `=`, and the duration.
public final class TextTrace implements TraceSink {
    private static final int BYTES_A_LINE = 16;

    /// Longest arguments at the level of calls, in characters.
    private static final int SHORT = 220;

    private final Writer out;
    private final TraceLevel level;

    /// @param out flushed after each entry; not closed
    public TextTrace(Writer out, TraceLevel level) {
        this.out = out;
        this.level = level;
    }

    @Override
    public void accept(TraceEntry entry) {
        var text = new StringBuilder();
        line(text, entry);
        if (level != TraceLevel.CALLS) {
            for (TracePart part : entry.parts()) {
                part(text, part);
            }
        }
        try {
            out.write(text.toString());
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void line(StringBuilder text, TraceEntry entry) {
        text.append(String.format(Locale.ROOT, "%11.3f ms  %s  ", entry.startNanos() / 1e6, entry.device()))
                .append(entry.verb())
                .append("  ")
                .append(shortName(entry.command()));
        if (!entry.arguments().isEmpty()) {
            text.append('(').append(shortened(entry.arguments())).append(')');
        }
        if (entry.result() < 0) {
            text.append(" = ").append(Errno.describe((int) -entry.result()));
        } else if (!entry.outcome().isEmpty()) {
            text.append(" = ").append(shortened(entry.outcome()));
        } else {
            text.append(" = ").append(entry.result());
        }
        if (entry.durationNanos() > 0) {
            text.append(String.format(Locale.ROOT, "  [%s, %.3f ms]", entry.transport(), entry.durationNanos() / 1e6));
        }
        text.append('\n');
        if (!entry.explanation().isEmpty()) {
            text.append(entry.isQuestion() ? "            question: " : "                 why: ")
                    .append(entry.explanation())
                    .append('\n');
        }
    }

    /// Returns C names without their common prefix.
    static String shortName(String command) {
        return command.replaceFirst("^(UVERBS_METHOD_|IB_USER_VERBS_CMD_|IB_USER_VERBS_|RDMA_USER_CM_CMD_)", "");
    }

    private String shortened(String text) {
        return level != TraceLevel.CALLS || text.length() <= SHORT ? text : text.substring(0, SHORT) + " …";
    }

    private void part(StringBuilder text, TracePart part) {
        String arrow = switch (part.direction()) {
            case TO_KERNEL -> "→";
            case FROM_KERNEL -> "←";
            case BOTH -> "⇄";
        };
        text.append("      ").append(arrow).append(' ').append(part.title());
        if (!part.struct().isEmpty()) {
            text.append("  struct ").append(part.struct());
        }
        text.append(", ").append(part.bytes().length).append(" bytes");
        if (part.address() != 0) {
            text.append(" at 0x").append(Long.toHexString(part.address()));
        }
        text.append('\n');
        for (TraceField field : part.fields()) {
            field(text, part, field);
        }
    }

    private void field(StringBuilder text, TracePart part, TraceField field) {
        String name = String.format(Locale.ROOT, "%s = %s", field.path(), field.text());
        String note = field.padding() ? "padding" : field.meaning();
        text.append(String.format(Locale.ROOT, "        %+5d ", field.offset()));
        if (level == TraceLevel.BYTES) {
            text.append(String.format(Locale.ROOT, "%-48s ", hex(part.bytes(), field.offset(), field.size(), 0)));
        }
        text.append(note.isEmpty() ? name : String.format(Locale.ROOT, "%-44s  %s", name, note)).append('\n');
        if (level == TraceLevel.BYTES) {
            for (int at = BYTES_A_LINE; at < field.size() && !isZero(part.bytes(), field, at); at += BYTES_A_LINE) {
                text.append(String.format(Locale.ROOT, "        %+5d ", field.offset() + at))
                        .append(hex(part.bytes(), field.offset(), field.size(), at))
                        .append('\n');
            }
        }
    }

    /// Returns whether only zeros follow, which are not shown.
    private static boolean isZero(byte[] bytes, TraceField field, int from) {
        for (int i = field.offset() + from; i < field.offset() + field.size(); i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return true;
    }

    private static String hex(byte[] bytes, int offset, int size, int from) {
        var text = new StringBuilder();
        for (int i = from; i < Math.min(size, from + BYTES_A_LINE); i++) {
            text.append(text.isEmpty() ? "" : " ").append(String.format(Locale.ROOT, "%02x", bytes[offset + i]));
        }
        return text.toString();
    }
}
