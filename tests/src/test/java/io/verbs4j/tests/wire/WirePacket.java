// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.wire;

import io.verbs4j.roce.AtomicEth;
import io.verbs4j.roce.Bth;
import io.verbs4j.roce.RoceFrame;
import io.verbs4j.roce.RoceHeader;
import io.verbs4j.roce.RoceOpcode;
import java.util.List;
import java.util.zip.CRC32;

/// The specification's values for one packet.
///
/// @param payload length and checksum of the payload, which messages of failed tests can print
record WirePacket(
        RoceOpcode opcode,
        int psn,
        boolean ackRequest,
        boolean solicited,
        int padCount,
        List<RoceHeader> headers,
        String payload) {
    private static final RoceOpcode FETCH_AND_ADD = new RoceOpcode(Operation.FETCH_AND_ADD.code(0, 1));

    WirePacket {
        // A fetch and add has nothing to compare with.
        headers = headers.stream().map(header -> defined(opcode, header)).toList();
    }

    static WirePacket of(RoceFrame frame) {
        Bth bth = frame.packet().bth();
        return new WirePacket(
                bth.opcode(),
                bth.packetSequenceNumber(),
                bth.ackRequest(),
                bth.solicited(),
                bth.padCount(),
                frame.packet().extensions(),
                summary(frame.packet().payload(), 0, frame.packet().payloadLength()));
    }

    static String summary(byte[] bytes, int offset, int length) {
        var crc = new CRC32();
        crc.update(bytes, offset, length);
        return length == 0 ? "" : "%d bytes %08x".formatted(length, crc.getValue());
    }

    private static RoceHeader defined(RoceOpcode opcode, RoceHeader header) {
        return header instanceof AtomicEth atomic && opcode.equals(FETCH_AND_ADD)
                ? new AtomicEth(atomic.virtualAddress(), atomic.remoteKey(), atomic.swapOrAdd(), 0)
                : header;
    }
}
