// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.capture;

import io.verbs4j.roce.Aeth;
import io.verbs4j.roce.AtomicAckEth;
import io.verbs4j.roce.AtomicEth;
import io.verbs4j.roce.Bth;
import io.verbs4j.roce.DcConnectEth;
import io.verbs4j.roce.DcEth;
import io.verbs4j.roce.Deth;
import io.verbs4j.roce.Feth;
import io.verbs4j.roce.Ieth;
import io.verbs4j.roce.ImmDt;
import io.verbs4j.roce.Rdeth;
import io.verbs4j.roce.Reth;
import io.verbs4j.roce.RoceFrame;
import io.verbs4j.roce.RoceHeader;
import io.verbs4j.roce.RoceV2Packet;
import io.verbs4j.roce.XrcEth;
import io.verbs4j.roce.mad.CmMessage;
import io.verbs4j.roce.mad.Mad;
import io.verbs4j.tools.common.AddressText;
import io.verbs4j.tracing.TraceField;
import io.verbs4j.tracing.TracePart;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Describes a packet's headers field by field, as a trace describes structs.
final class PacketParts {
    private PacketParts() {}

    /// Returns a line with addresses, queue pair and sequence number.
    static String line(RoceFrame frame) {
        Bth bth = frame.packet().bth();
        return String.format(
                Locale.ROOT,
                "%s → %s QPN 0x%06x PSN 0x%06x%s%s, %d bytes",
                AddressText.of(frame.source()),
                AddressText.of(frame.destination()),
                bth.destinationQueuePair(),
                bth.packetSequenceNumber(),
                bth.ackRequest() ? " AckReq" : "",
                bth.solicited() ? " solicited" : "",
                frame.packet().payloadLength());
    }

    /// Returns the packet's name: its opcode, or the connection manager's message that it contains.
    static String name(RoceV2Packet packet) {
        return Mad.in(packet).flatMap(Mad::message).map(CmMessage::toString).orElse(packet.bth().opcode().toString());
    }

    /// Returns the meaning of a negative acknowledgement or a rejection; empty for other packets.
    static String refusal(RoceFrame frame) {
        Optional<CmMessage> message = Mad.in(frame.packet()).flatMap(Mad::message);
        if (message.isPresent()) {
            return MadParts.refusal(message.get());
        }
        return frame.packet()
                .extension(Aeth.class)
                .filter(aeth -> aeth.kind() != Aeth.Kind.ACK)
                .map(aeth -> "the responder answered: " + aeth.meaning())
                .orElse("");
    }

    /// Returns a part for each header, for the payload, and for the invariant CRC.
    static List<TracePart> of(RoceFrame frame) {
        RoceV2Packet packet = frame.packet();
        Bth bth = packet.bth();
        var parts = new ArrayList<TracePart>();
        parts.add(part("base transport header", "BTH", bth.bytes(), List.of(
                field("opcode", 0, 1, bth.opcode().value(), bth.opcode().toString(), "kind of packet"),
                field(
                        "se,m,pad,tver",
                        1,
                        1,
                        bth.bytes()[1] & 0xff,
                        "solicited=" + bth.solicited() + " migrated=" + bth.migrated() + " pad=" + bth.padCount()
                                + " version=" + bth.version(),
                        "solicited event, migration state, pad bytes, version"),
                field("pkey", 2, 2, bth.pkey(), hex(bth.pkey(), 4), "partition key"),
                field("fecn,becn", 4, 1, bth.bytes()[4] & 0xff, "fecn=" + bth.fecn() + " becn=" + bth.becn(),
                        "forward and backward congestion"),
                field("dest_qp", 5, 3, bth.destinationQueuePair(), hex(bth.destinationQueuePair(), 6),
                        "the receiver's queue pair"),
                field("ack_req", 8, 1, bth.ackRequest() ? 1 : 0, String.valueOf(bth.ackRequest()),
                        "the sender requests an acknowledgement"),
                field("psn", 9, 3, bth.packetSequenceNumber(), hex(bth.packetSequenceNumber(), 6),
                        "packet sequence number"))));
        packet.extensions().forEach(header -> parts.add(part(header)));
        Optional<Mad> mad = Mad.in(packet).filter(_ -> packet.payloadLength() == Mad.BYTES);
        mad.ifPresent(found -> parts.addAll(MadParts.of(found)));
        if (mad.isEmpty() && packet.payloadLength() > 0) {
            byte[] bytes = packet.payload();
            parts.add(part("payload", "", bytes,
                    List.of(field("payload", 0, bytes.length, 0, bytes.length + " bytes",
                            "the message, or a part of it"))));
        }
        int pad = bth.padCount();
        byte[] end = ByteBuffer.allocate(pad + RoceV2Packet.ICRC_BYTES)
                .putInt(pad, Integer.reverseBytes(packet.icrc()))
                .array();
        var last = new ArrayList<TraceField>();
        if (pad > 0) {
            last.add(new TraceField("pad", 0, pad, 0, "0", "", true));
        }
        last.add(field("icrc", pad, RoceV2Packet.ICRC_BYTES, packet.icrc(),
                hex(packet.icrc(), 8) + (frame.isIntact() ? "" : ", should be " + hex(frame.expectedIcrc(), 8)),
                "invariant CRC: covers the fields that routers do not change"));
        parts.add(part("end", "", end, last));
        return parts;
    }

    private static TracePart part(RoceHeader header) {
        byte[] bytes = header.bytes();
        return switch (header) {
            case Bth _ -> throw new IllegalArgumentException("two base transport headers");
            case DcEth dc -> part("DC header", "DCETH", bytes,
                    List.of(field("dc", 0, 8, dc.bits(), "0x%016x".formatted(dc.bits()), "not published")));
            case DcConnectEth dc -> part("DC connect header", "DCCETH", bytes,
                    List.of(field("dc_connect", 0, bytes.length, 0, "0x%016x%016x".formatted(dc.high(), dc.low()),
                            "not published")));
            case Rdeth rdeth -> part("reliable datagram header", "RDETH", bytes, List.of(
                    reserved(0, 1),
                    field("ee_context", 1, 3, rdeth.endToEndContext(), hex(rdeth.endToEndContext(), 6),
                            "the receiver's end-to-end context")));
            case XrcEth xrc -> part("XRC header", "XRCETH", bytes, List.of(
                    reserved(0, 1),
                    field("srq", 1, 3, xrc.sharedReceiveQueue(), hex(xrc.sharedReceiveQueue(), 6),
                            "the receiver's shared receive queue")));
            case Deth deth -> part("datagram header", "DETH", bytes, List.of(
                    field("qkey", 0, 4, deth.qkey(), hex(deth.qkey(), 8), "must be the receiver's Q_Key"),
                    reserved(4, 1),
                    field("src_qp", 5, 3, deth.sourceQueuePair(), hex(deth.sourceQueuePair(), 6),
                            "the sender's queue pair")));
            case Reth reth -> part("RDMA header", "RETH", bytes, List.of(
                    field("va", 0, 8, reth.virtualAddress(), "0x" + Long.toHexString(reth.virtualAddress()),
                            "first byte"),
                    field("rkey", 8, 4, reth.remoteKey(), hex(reth.remoteKey(), 8), "the responder's key"),
                    field("dma_length", 12, 4, reth.dmaLength(), String.valueOf(reth.dmaLength()),
                            "bytes of the message")));
            case AtomicEth atomic -> part("atomic header", "AtomicETH", bytes, List.of(
                    field("va", 0, 8, atomic.virtualAddress(), "0x" + Long.toHexString(atomic.virtualAddress()),
                            "eight bytes"),
                    field("rkey", 8, 4, atomic.remoteKey(), hex(atomic.remoteKey(), 8), "the responder's key"),
                    field("swap_add", 12, 8, atomic.swapOrAdd(), "0x" + Long.toHexString(atomic.swapOrAdd()),
                            "swap or add this"),
                    field("compare", 20, 8, atomic.compare(), "0x" + Long.toHexString(atomic.compare()),
                            "swap if it is this")));
            case Aeth aeth -> part("acknowledgement header", "AETH", bytes, List.of(
                    field("syndrome", 0, 1, aeth.syndrome(), aeth.meaning(), "kind of answer and its code"),
                    field("msn", 1, 3, aeth.messageSequenceNumber(), String.valueOf(aeth.messageSequenceNumber()),
                            "messages that the responder has completed")));
            case AtomicAckEth ack -> part("atomic answer", "AtomicAckETH", bytes,
                    List.of(field("original", 0, 8, ack.original(), "0x" + Long.toHexString(ack.original()),
                            "the value before")));
            case ImmDt immediate -> part("immediate data", "ImmDt", bytes,
                    List.of(field("imm", 0, 4, immediate.immediateData(), hex(immediate.immediateData(), 8),
                            "for the completion")));
            case Ieth invalidate -> part("key to invalidate", "IETH", bytes,
                    List.of(field("rkey", 0, 4, invalidate.remoteKey(), hex(invalidate.remoteKey(), 8),
                            "the receiver's key")));
            case Feth _ -> part("flush header", "FETH", bytes,
                    List.of(field("placement,level", 0, bytes.length, 0, header.toString(), "where to, and how much")));
        };
    }

    static TracePart part(String title, String struct, byte[] bytes, List<TraceField> fields) {
        return new TracePart(title, struct, TracePart.Direction.FROM_KERNEL, 0, bytes, fields);
    }

    static TraceField field(String name, int offset, int size, long value, String text, String meaning) {
        return new TraceField(name, offset, size, value, text, meaning, false);
    }

    private static TraceField reserved(int offset, int size) {
        return new TraceField("reserved", offset, size, 0, "0", "", true);
    }

    private static String hex(int value, int digits) {
        return "0x" + ("%0" + digits + "x").formatted(value);
    }
}
