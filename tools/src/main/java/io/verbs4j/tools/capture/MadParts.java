// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.capture;

import io.verbs4j.cm.RejectReason;
import io.verbs4j.roce.mad.BitField;
import io.verbs4j.roce.mad.CmMessage;
import io.verbs4j.roce.mad.Fields;
import io.verbs4j.roce.mad.Mad;
import io.verbs4j.tracing.TraceField;
import io.verbs4j.tracing.TracePart;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Describes a management datagram field by field, as a trace describes structs.
final class MadParts {
    private MadParts() {}

    /// Returns a part for the common header and one for the rest.
    static List<TracePart> of(Mad mad) {
        var parts = new ArrayList<TracePart>();
        parts.add(part("management datagram", "MAD", mad.header()));
        mad.message()
                .ifPresentOrElse(
                        message -> parts
                                .add(part("connection manager's message", message.toString(), message.fields())),
                        () -> parts.add(PacketParts.part("data", "", mad.data(), List.of(
                                PacketParts.field("data", 0, mad.data().length, 0, mad.data().length + " bytes",
                                        "")))));
        return parts;
    }

    /// Returns the meaning of a rejection; empty for other messages.
    static String refusal(CmMessage message) {
        return switch (message.type()) {
            case REJ -> {
                int reason = message.fields().number("reason");
                yield "the peer rejected: "
                        + RejectReason.of(reason).map(RejectReason::explanation).orElse("reason " + reason);
            }
            case SIDR_REP -> {
                int status = message.fields().number("status");
                yield status == 0 ? "" : "the peer refused, status " + status;
            }
            default -> "";
        };
    }

    private static TracePart part(String title, String struct, Fields fields) {
        var shown = new ArrayList<TraceField>();
        var group = new ArrayList<BitField>();
        for (BitField field : fields.layout().fields()) {
            group.add(field);
            if ((field.bitOffset() + field.bits()) % Byte.SIZE == 0) {
                shown.add(shown(fields, group));
                group.clear();
            }
        }
        return PacketParts.part(title, struct, fields.bytes(), shown);
    }

    /// Merges fields that share bytes, because a trace counts in bytes.
    private static TraceField shown(Fields fields, List<BitField> group) {
        BitField first = group.getFirst();
        BitField last = group.getLast();
        List<BitField> named = group.stream().filter(field -> !field.isReserved()).toList();
        int size = last.byteOffset() + last.bytes() - first.byteOffset();
        if (named.isEmpty()) {
            return new TraceField("reserved", first.byteOffset(), size, 0, "0", "", true);
        }
        boolean one = named.size() == 1;
        return new TraceField(
                named.stream().map(BitField::name).collect(Collectors.joining(",")),
                first.byteOffset(),
                size,
                one && first.isNumber() ? fields.value(named.getFirst()) : 0,
                named.stream()
                        .map(field -> (one ? "" : field.name() + "=") + fields.text(field))
                        .collect(Collectors.joining(" ")),
                named.stream()
                        .filter(field -> !field.meaning().isEmpty())
                        .map(field -> (one ? "" : field.name() + ": ") + field.meaning())
                        .collect(Collectors.joining("; ")),
                false);
    }
}
