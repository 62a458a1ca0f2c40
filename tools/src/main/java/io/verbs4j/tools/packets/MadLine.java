// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.packets;

import io.verbs4j.cm.RejectReason;
import io.verbs4j.roce.mad.CmMessage;
import io.verbs4j.roce.mad.Mad;
import io.verbs4j.tools.common.AddressText;
import java.util.HexFormat;

/// Formats a management datagram as part of a packet's line.
final class MadLine {
    private static final String[] MESSAGES = {"REQ", "REP", "no message: no answer came", "message 3"};
    private static final String[] ANSWERED = {"REQ", "REP", "LAP", "message 3"};

    private MadLine() {}

    static String of(Mad mad) {
        var line = new StringBuilder(mad.toString());
        mad.message().ifPresent(message -> describe(line, message));
        return line.toString();
    }

    private static void describe(StringBuilder line, CmMessage message) {
        message.localId().ifPresent(id -> line.append("  id ").append(id(id)));
        message.remoteId()
                .ifPresent(id -> line.append(message.localId().isPresent() ? " to id " : "  to id ").append(id(id)));
        if (message.serviceId().isPresent()) {
            service(line, message);
        }
        message.queuePairNumber().ifPresent(number -> line.append(String.format("  QPN 0x%06x", number)));
        switch (message.type()) {
            case REQ, REP -> line.append(String.format("  PSN 0x%06x", message.fields().number("starting_psn")));
            case REJ -> line.append("  rejects ")
                    .append(MESSAGES[message.fields().number("message_rejected")])
                    .append(", reason ")
                    .append(reason(message.fields().number("reason")));
            case MRA -> line.append("  has ")
                    .append(ANSWERED[message.fields().number("message_mraed")])
                    .append(", needs more time");
            case SIDR_REP -> line.append(String.format("  Q_Key 0x%08x", message.fields().value("q_key")))
                    .append(status(message.fields().number("status")));
            default -> {}
        }
        byte[] data = message.privateData();
        int end = data.length;
        while (end > 0 && data[end - 1] == 0) {
            end--;
        }
        if (end > 0) {
            line.append("  data ")
                    .append(HexFormat.of().formatHex(data, 0, Math.min(end, 16)))
                    .append(end > 16 ? "…" : "");
        }
    }

    private static String id(long id) {
        return String.format("0x%08x", id);
    }

    private static void service(StringBuilder line, CmMessage message) {
        if (message.portSpace().isEmpty()) {
            line.append(String.format("  service 0x%016x", message.serviceId().orElseThrow()));
            return;
        }
        line.append("  ").append(message.portSpace().get()).append(" port ").append(message.port().orElseThrow());
        message.ipHeader()
                .ifPresent(header -> line.append(" of ")
                        .append(AddressText.of(header.destination()))
                        .append(" from ")
                        .append(AddressText.of(header.source()))
                        .append(" port ")
                        .append(header.sourcePort()));
    }

    /// Returns a reason's number and meaning.
    static String reason(int number) {
        return number + RejectReason.of(number)
                .map(reason -> " (" + reason.explanation().replaceFirst("; .*", "") + ")")
                .orElse("");
    }

    private static String status(int status) {
        return switch (status) {
            case 0 -> "";
            case 1 -> "  refused: no listener";
            case 2 -> "  refused by the peer's program";
            case 3 -> "  refused: no queue pair is left";
            case 4 -> "  refused: redirected";
            case 5 -> "  refused: other version";
            default -> "  refused, status " + status;
        };
    }
}
