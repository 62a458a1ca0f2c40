// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.packets;

import io.verbs4j.roce.Aeth;
import io.verbs4j.roce.AtomicAckEth;
import io.verbs4j.roce.AtomicEth;
import io.verbs4j.roce.Bth;
import io.verbs4j.roce.CapturedFrame;
import io.verbs4j.roce.DamagedFrame;
import io.verbs4j.roce.DcConnectEth;
import io.verbs4j.roce.DcEth;
import io.verbs4j.roce.Deth;
import io.verbs4j.roce.Feth;
import io.verbs4j.roce.FrameLayers;
import io.verbs4j.roce.Ieth;
import io.verbs4j.roce.ImmDt;
import io.verbs4j.roce.Rdeth;
import io.verbs4j.roce.Reth;
import io.verbs4j.roce.RoceFrame;
import io.verbs4j.roce.RoceHeader;
import io.verbs4j.roce.RoceV2Packet;
import io.verbs4j.roce.VlanTag;
import io.verbs4j.roce.XrcEth;
import io.verbs4j.roce.mad.Mad;
import io.verbs4j.tools.common.AddressText;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Formats a packet as one line.
final class PacketLine {
    private static final double NANOS_PER_SECOND = 1e9;

    private PacketLine() {}

    /// The amount of detail.
    enum Detail {
        /// Reports only a wrong invariant CRC.
        SHORT,
        /// Reports also a correct invariant CRC.
        CHECKED,
        /// Reports also frame number, VLAN, DSCP, ECN, UDP source port, P_Key, padding and congestion bits.
        FULL
    }

    /// @param nanoseconds time since the first packet, or [CapturedFrame#NO_TIME]
    static String format(RoceFrame frame, long nanoseconds, Detail detail) {
        RoceV2Packet packet = frame.packet();
        StringBuilder line = start(frame.layers(), nanoseconds);
        appendHeaders(line, packet.bth(), packet.extensions());
        Mad.in(packet).ifPresent(mad -> line.append("  ").append(MadLine.of(mad)));
        appendPayload(line, packet.payloadLength());
        appendVersion(line, frame.layers());
        if (detail == Detail.FULL) {
            openDetails(line, frame.number(), frame.layers());
            appendDetails(line, packet.bth());
            line.append(String.format("  ICRC 0x%08x ", packet.icrc()))
                    .append(frame.isIntact() ? "ok" : String.format("WRONG, expected 0x%08x", frame.expectedIcrc()))
                    .append(']');
        } else if (!frame.isIntact()) {
            line.append("  ICRC WRONG");
        } else if (detail == Detail.CHECKED) {
            line.append("  ICRC ok");
        }
        return line.toString();
    }

    /// Formats the available part of a packet and its defect, without its invariant CRC.
    ///
    /// @param nanoseconds time since the first packet, or [CapturedFrame#NO_TIME]
    static String format(DamagedFrame frame, long nanoseconds, Detail detail) {
        StringBuilder line = start(frame.layers(), nanoseconds);
        Optional<Bth> bth = frame.start().bth();
        bth.ifPresent(found -> appendHeaders(line, found, frame.start().extensions()));
        frame.payloadLength().ifPresent(bytes -> appendPayload(line, bytes));
        appendVersion(line, frame.layers());
        line.append("  (").append(frame.problem()).append(')');
        if (detail == Detail.FULL) {
            openDetails(line, frame.number(), frame.layers());
            bth.ifPresent(found -> appendDetails(line, found));
            line.append(']');
        }
        return line.toString();
    }

    private static StringBuilder start(FrameLayers layers, long nanoseconds) {
        return new StringBuilder(160)
                .append(time(nanoseconds))
                .append(AddressText.of(layers.source()))
                .append(" → ")
                .append(AddressText.of(layers.destination()));
    }

    private static void appendHeaders(StringBuilder line, Bth bth, List<RoceHeader> extensions) {
        line.append(String.format(
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
        for (RoceHeader header : extensions) {
            line.append("  ").append(describe(header));
        }
    }

    private static void appendPayload(StringBuilder line, int bytes) {
        if (bytes > 0) {
            line.append("  ").append(bytes).append(" bytes");
        }
    }

    private static void appendVersion(StringBuilder line, FrameLayers layers) {
        if (layers.version() == 1) {
            line.append("  RoCE v1");
        }
    }

    private static String time(long nanoseconds) {
        return nanoseconds == CapturedFrame.NO_TIME
                ? "          -  "
                : String.format(Locale.ROOT, "%11.6f  ", nanoseconds / NANOS_PER_SECOND);
    }

    private static String describe(RoceHeader header) {
        return switch (header) {
            case Bth bth -> bth.toString();
            case DcEth dc -> String.format("DC 0x%016x", dc.bits());
            case DcConnectEth dc -> String.format("DC connect 0x%016x%016x", dc.high(), dc.low());
            case Rdeth rdeth -> String.format("EE context 0x%06x", rdeth.endToEndContext());
            case XrcEth xrc -> String.format("SRQ 0x%06x", xrc.sharedReceiveQueue());
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

    private static void openDetails(StringBuilder line, long number, FrameLayers layers) {
        line.append("  [frame ").append(number);
        for (String tunnel : layers.tunnels()) {
            line.append("  ").append(tunnel);
        }
        for (VlanTag tag : layers.vlans()) {
            line.append("  VLAN ").append(tag.id());
            if (tag.priority() > 0) {
                line.append(" priority ").append(tag.priority());
            }
        }
        line.append("  DSCP ").append(layers.dscp()).append("  ECN ").append(layers.ecn());
        line.append("  TTL ").append(layers.hopLimit());
        if (layers.version() > 1) {
            line.append("  UDP port ").append(layers.sourcePort());
        }
    }

    private static void appendDetails(StringBuilder line, Bth bth) {
        line.append(String.format("  P_Key 0x%04x  pad %d", bth.pkey(), bth.padCount()))
                .append(bth.fecn() ? "  FECN" : "")
                .append(bth.becn() ? "  BECN" : "");
    }
}
