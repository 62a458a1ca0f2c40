// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import io.verbs4j.types.Ranges;
import java.nio.ByteBuffer;
import java.util.List;

/// Base transport header, with which every packet starts (IBA vol. 1, 9.2).
///
/// @param opcode the packet's opcode
/// @param solicited whether the receiver's completion counts as solicited
/// @param migrated path migration state bit; set if there is no alternate path
/// @param padCount padding bytes, 0 to 3, up to a multiple of 4
/// @param version version of the transport header, 0
/// @param pkey partition key
/// @param fecn whether the packet encountered congestion
/// @param becn whether a packet in the opposite direction encountered congestion
/// @param destinationQueuePair the receiver's queue pair number, 24 bits
/// @param ackRequest whether the sender requests an acknowledgement
/// @param packetSequenceNumber 24 bits
public record Bth(
        RoceOpcode opcode,
        boolean solicited,
        boolean migrated,
        int padCount,
        int version,
        int pkey,
        boolean fecn,
        boolean becn,
        int destinationQueuePair,
        boolean ackRequest,
        int packetSequenceNumber)
        implements RoceHeader {
    /// Length in bytes.
    public static final int BYTES = 12;

    /// Checks the ranges.
    public Bth {
        Ranges.check("padCount", padCount, 0, 3);
        Ranges.check("version", version, 0, 15);
        Ranges.check("pkey", pkey, 0, 0xffff);
        Ranges.check("destinationQueuePair", destinationQueuePair, 0, 0xffffff);
        Ranges.check("packetSequenceNumber", packetSequenceNumber, 0, 0xffffff);
    }

    /// Returns the number of padding bytes after a payload of the given length, up to a multiple of 4.
    public static int padCount(int payloadLength) {
        return -payloadLength & 3;
    }

    /// Returns the headers after this one, in wire order: the headers of [RoceOpcode#headers()] and, depending on a bit
    /// of this header, an additional one.
    List<HeaderKind> following() {
        return opcode.equals(RoceOpcode.DC_CONNECT) && !solicited
                ? List.of(HeaderKind.DC_ETH, HeaderKind.DC_CONNECT_ETH)
                : opcode.headers();
    }

    /// Parses the header. Reserved bits are not kept.
    public static Bth parse(ByteBuffer buffer) {
        var opcode = new RoceOpcode(buffer.get() & 0xff);
        int flags = buffer.get();
        int pkey = buffer.getShort() & 0xffff;
        int congestion = buffer.get();
        int destination = RoceHeader.getUnsigned24(buffer);
        boolean ackRequest = buffer.get() < 0;
        return new Bth(
                opcode,
                (flags & 0x80) != 0,
                (flags & 0x40) != 0,
                flags >>> 4 & 3,
                flags & 0xf,
                pkey,
                (congestion & 0x80) != 0,
                (congestion & 0x40) != 0,
                destination,
                ackRequest,
                RoceHeader.getUnsigned24(buffer));
    }

    @Override
    public void put(ByteBuffer buffer) {
        buffer.put((byte) opcode.value());
        buffer.put((byte) (bit(solicited, 7) | bit(migrated, 6) | padCount << 4 | version));
        buffer.putShort((short) pkey);
        buffer.put((byte) (bit(fecn, 7) | bit(becn, 6)));
        RoceHeader.putUnsigned24(buffer, destinationQueuePair);
        buffer.put((byte) bit(ackRequest, 7));
        RoceHeader.putUnsigned24(buffer, packetSequenceNumber);
    }

    private static int bit(boolean set, int position) {
        return set ? 1 << position : 0;
    }
}
