// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.packets;

import io.verbs4j.roce.Bth;
import io.verbs4j.roce.CapturedFrame;
import io.verbs4j.roce.DamagedPacketException;
import io.verbs4j.roce.Deth;
import io.verbs4j.roce.FrameEncoder;
import io.verbs4j.roce.HeaderKind;
import io.verbs4j.roce.RoceOpcode;
import io.verbs4j.roce.RoceV2Packet;
import io.verbs4j.roce.mad.BitField;
import io.verbs4j.roce.mad.CmMessage;
import io.verbs4j.roce.mad.CmMessageType;
import io.verbs4j.roce.mad.Fields;
import io.verbs4j.roce.mad.Mad;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/// A packet for each opcode, for each code in a header, and for each message of the connection manager. Their fields
/// have different values.
public final class EveryPacket {
    private static final RoceOpcode DATAGRAM = new RoceOpcode(0x64);
    private static final int OPCODES = 256;

    private EveryPacket() {}

    /// Returns the frames, a second and a millisecond after each other.
    public static List<CapturedFrame> frames() throws UnknownHostException, DamagedPacketException {
        var packets = new ArrayList<RoceV2Packet>();
        for (int opcode = 0; opcode < OPCODES; opcode++) {
            if (new RoceOpcode(opcode).known()) {
                packets.add(packet(new RoceOpcode(opcode), opcode));
            }
        }
        for (int syndrome = 0; syndrome < OPCODES; syndrome += 3) {
            packets.add(packet(RoceOpcode.RC_ACKNOWLEDGE, syndrome));
        }
        for (CmMessageType type : CmMessageType.values()) {
            int variants = switch (type) {
                case REQ, MRA, REJ, SIDR_REQ, SIDR_REP -> 7;
                default -> 2;
            };
            for (int variant = 0; variant < variants; variant++) {
                packets.add(management(Mad.of(message(type, variant), variant)));
            }
        }
        packets.add(management(Mad.parse(pattern(Mad.BYTES, 1)).orElseThrow()));
        var frames = new ArrayList<CapturedFrame>();
        for (RoceV2Packet packet : packets) {
            int number = frames.size() + 1;
            InetAddress source = InetAddress.getByName("10.0.0." + number % 100);
            byte[] bytes = FrameEncoder.encode(source, InetAddress.getByName("10.0.1.2"), 49152 + number, packet);
            if (number % 10 == 0) {
                bytes[bytes.length - 1] ^= 1; // a wrong invariant CRC
            }
            frames.add(new CapturedFrame(number, number * 1_001_000_000L, bytes.length, bytes));
        }
        return frames;
    }

    private static byte[] pattern(int length, int seed) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (seed + 17 * i);
        }
        return bytes;
    }

    /// Returns a packet whose extension headers begin with `seed`.
    private static RoceV2Packet packet(RoceOpcode opcode, int seed) throws DamagedPacketException {
        int payload = seed % 6;
        int length = Bth.BYTES + opcode.headers().stream().mapToInt(HeaderKind::bytes).sum()
                + payload + Bth.padCount(payload) + RoceV2Packet.ICRC_BYTES;
        byte[] bytes = pattern(length, seed - 17 * Bth.BYTES);
        byte[] first = bth(opcode, seed, Bth.padCount(payload), 0x10000 + seed).bytes();
        System.arraycopy(first, 0, bytes, 0, first.length);
        return RoceV2Packet.parse(bytes, 0, length);
    }

    private static Bth bth(RoceOpcode opcode, int seed, int pad, int queuePair) {
        return new Bth(opcode, seed % 2 == 1, seed % 3 == 1, pad, 0, 0xff00 + seed, seed % 5 == 1, seed % 7 == 1,
                queuePair, seed % 4 == 1, 0x20000 + seed);
    }

    private static RoceV2Packet management(Mad mad) {
        return new RoceV2Packet.Builder()
                .bth(bth(DATAGRAM, 1, 0, Mad.QUEUE_PAIR))
                .extensions(new Deth(Mad.QKEY, Mad.QUEUE_PAIR))
                .payload(mad.bytes())
                .build();
    }

    /// Returns a message whose fields have different values; its codes are `variant`, as far as they have the bits.
    private static CmMessage message(CmMessageType type, int variant) {
        Fields.Builder fields = CmMessage.fieldsOf(type);
        int value = 1;
        for (BitField field : type.layout().fields()) {
            value++;
            switch (field.name()) {
                case String name when field.isReserved() -> {}
                case "status", "reason", "message_rejected", "message_mraed" ->
                    fields.set(field.name(), variant & (1L << field.bits()) - 1);
                case "service_id" -> fields.set(field.name(), variant % 3 == 0 ? 0x1234_5678_9abcL : 0x106_0000 + 4791);
                case "private_data" -> fields.set(field.name(), privateData(variant));
                case String name when !field.isNumber() ->
                    fields.set(name, pattern(Math.min(4, field.bytes()), value));
                case String name -> fields.set(name, value & (1L << Math.min(field.bits(), 20)) - 1);
            }
        }
        return new CmMessage(type, fields.build());
    }

    /// Returns private data. Most variants begin with the IP addresses of a request.
    private static byte[] privateData(int variant) {
        byte[] data = pattern(36 + 4 * variant, variant);
        data[0] = 0;
        data[1] = (byte) (variant % 2 == 0 ? 0x40 : 0x60);
        return variant == 5 ? new byte[0] : data;
    }
}
