// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.packets;

import io.verbs4j.roce.Aeth;
import io.verbs4j.roce.AtomicAckEth;
import io.verbs4j.roce.AtomicEth;
import io.verbs4j.roce.Bth;
import io.verbs4j.roce.Deth;
import io.verbs4j.roce.Feth;
import io.verbs4j.roce.Ieth;
import io.verbs4j.roce.ImmDt;
import io.verbs4j.roce.Reth;
import io.verbs4j.roce.RoceFrame;
import io.verbs4j.roce.RoceHeader;
import io.verbs4j.roce.RoceV2Packet;
import io.verbs4j.roce.mad.Mad;
import io.verbs4j.tools.AddressText;
import java.util.Locale;

/// A packet as one line in the field's terms.
final class PacketLine {
    private static final double NANOS_PER_SECOND = 1e9;

    private PacketLine() {}

    /// The amount of detail.
    enum Detail {
        /// Of the invariant CRC only that it is wrong.
        SHORT,
        /// True if the invariant CRC is right.
        CHECKED,
        /// Also UDP source port, P_Key, padding and congestion bits.
        FULL
    }

    /// @param nanoseconds since the first packet
    static String format(RoceFrame frame, long nanoseconds, Detail detail) {
        RoceV2Packet packet = frame.packet();
        Bth bth = packet.bth();
        var line = new StringBuilder(160)
                .append(time(nanoseconds))
                .append(AddressText.of(frame.source()))
                .append(" → ")
                .append(AddressText.of(frame.destination()))
                .append(String.format(
                        Locale.ROOT,
                        "  %-24s QPN 0x%06x  PSN 0x%06x",
                        bth.opcode(),
                        bth.destinationQueuePair(),
                        bth.packetSequenceNumber()));
        if (bth.ackRequest()) {
            line.append("  AckReq");
        }
        if (bth.solicited()) {
            line.append("  solicited");
        }
        for (RoceHeader header : packet.extensions()) {
            line.append("  ").append(describe(header));
        }
        Mad.in(packet).ifPresent(mad -> line.append("  ").append(MadLine.of(mad)));
        if (packet.payloadLength() > 0) {
            line.append("  ").append(packet.payloadLength()).append(" bytes");
        }
        if (detail == Detail.FULL) {
            appendDetails(line, frame);
        } else if (!frame.isIntact()) {
            line.append("  ICRC WRONG");
        } else if (detail == Detail.CHECKED) {
            line.append("  ICRC ok");
        }
        return line.toString();
    }

    static String time(long nanoseconds) {
        return String.format(Locale.ROOT, "%11.6f  ", nanoseconds / NANOS_PER_SECOND);
    }

    private static String describe(RoceHeader header) {
        return switch (header) {
            case Bth bth -> bth.toString();
            case Deth deth ->
                String.format("from QPN 0x%06x  Q_Key 0x%08x", deth.sourceQueuePair(), deth.qkey());
            case Feth feth ->
                "flush " + placement(feth.placementType()) + (feth.selectivity() == 0 ? " of a range" : " of a region");
            case Reth reth ->
                String.format(
                        "address 0x%x  rkey 0x%08x  length %d",
                        reth.virtualAddress(), reth.remoteKey(), reth.dmaLength());
            case AtomicEth atomic ->
                String.format(
                        "address 0x%x  rkey 0x%08x  swap/add 0x%x  compare 0x%x",
                        atomic.virtualAddress(), atomic.remoteKey(), atomic.swapOrAdd(), atomic.compare());
            case Aeth aeth -> aeth.meaning() + "  MSN " + aeth.messageSequenceNumber();
            case AtomicAckEth ack -> String.format("original 0x%x", ack.original());
            case ImmDt immediate -> String.format("immediate 0x%08x", immediate.immediateData());
            case Ieth invalidate -> String.format("invalidates rkey 0x%08x", invalidate.remoteKey());
        };
    }

    private static String placement(int type) {
        return switch (type) {
            case 1 -> "to global visibility";
            case 2 -> "to persistence";
            case 3 -> "to global visibility and persistence";
            default -> "of type " + type;
        };
    }

    private static void appendDetails(StringBuilder line, RoceFrame frame) {
        Bth bth = frame.packet().bth();
        line.append(String.format(
                "  [UDP port %d  P_Key 0x%04x  pad %d  ICRC 0x%08x ",
                frame.sourcePort(), bth.pkey(), bth.padCount(), frame.packet().icrc()));
        line.append(frame.isIntact() ? "ok" : String.format("WRONG, expected 0x%08x", frame.expectedIcrc()));
        line.append(bth.fecn() ? "  FECN" : "").append(bth.becn() ? "  BECN" : "").append(']');
    }
}
