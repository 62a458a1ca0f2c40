// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.fuzz;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/// Inputs that the parsers understand, from which damaged ones are made.
final class Seeds {
    /// Queue pair 0x12, PSN 5: a send of eight bytes, with its invariant CRC left as 0.
    private static final String SEND = "04407fff00000012800000050102030405060708" + "00000000";

    /// A write of four bytes to 0x1000 with rkey 0x203.
    private static final String WRITE =
            "0a407fff0000001280000006" + "000000000000100000000203" + "00000004" + "01020304"
                    + "00000000";

    /// An acknowledgement of PSN 5.
    private static final String ACKNOWLEDGEMENT = "1140ffff0000001200000005" + "1f000001" + "00000000";

    private Seeds() {}

    static List<byte[]> text(String... texts) {
        return Arrays.stream(texts)
                .map(text -> text.getBytes(StandardCharsets.ISO_8859_1))
                .toList();
    }

    static List<byte[]> packets() {
        return List.of(hex(SEND), hex(WRITE), hex(ACKNOWLEDGEMENT), managementPacket());
    }

    /// The packets behind Ethernet, IPv4 and UDP headers; without those of Ethernet; and cooked.
    static List<byte[]> frames() {
        return packets().stream()
                .flatMap(packet -> Stream.of(
                        join(hex("020000000002020000000001" + "0800"), datagram(packet)),
                        datagram(packet),
                        join(hex("0800000000000006000000000001000c00000000"), datagram(packet)),
                        join(hex("000000010006020000000001" + "0000" + "0800"), datagram(packet))))
                .toList();
    }

    /// A file of each format, of cooked frames; that in pcapng has two kinds of packet blocks.
    static List<byte[]> captures() {
        byte[] frame = join(hex("0800000000000006000000000001000c00000000"), datagram(hex(SEND)));
        int padded = (frame.length + 3) / 4 * 4;
        byte[] captured = Arrays.copyOf(frame, padded);
        String length = "%08x".formatted(frame.length);
        String enhanced = "%08x".formatted(padded + 32);
        String simple = "%08x".formatted(padded + 16);
        return List.of(
                join(hex("a1b2c3d4" + "00020004" + "0000000000000000" + "0000ffff" + "00000114"
                        + "0000000500000007" + length + length), frame),
                join(hex("0a0d0d0a" + "0000001c" + "1a2b3c4d" + "00010000" + "ffffffffffffffff" + "0000001c"
                        + "00000001" + "0000001c" + "01140000" + "00000000" + "0009000109000000" + "0000001c"
                        + "00000006" + enhanced + "000000000000000500000007" + length + length), captured,
                        hex(enhanced + "00000003" + simple + length), captured, hex(simple)));
    }

    private static byte[] datagram(byte[] packet) {
        byte[] udp = join(
                ByteBuffer.allocate(8)
                        .putShort((short) 49152)
                        .putShort((short) 4791)
                        .putShort((short) (8 + packet.length))
                        .putShort((short) 0)
                        .array(),
                packet);
        ByteBuffer ip = ByteBuffer.allocate(20)
                .put(hex("4500"))
                .putShort((short) (20 + udp.length))
                .put(hex("000040004011" + "0000" + "0a0900010a090002"));
        return join(ip.array(), udp);
    }

    static List<byte[]> mads() {
        return List.of(mad());
    }

    /// A request of the connection manager: class 7, version 2, method send, attribute 0x10.
    private static byte[] mad() {
        return Arrays.copyOf(hex("01070203000000000000000000000001" + "0010000000000000"), 256);
    }

    /// A datagram to queue pair 1.
    private static byte[] managementPacket() {
        return join(hex("64407fff0000000180000001" + "8001000000000001"), mad(), new byte[4]);
    }

    /// An answer about one device, and the end of the list.
    static List<byte[]> netlink() {
        return List.of(hex("24000000011400000700000000000000" + "0800010003000000" + "0a00020072786530" + "00000000"
                + "14000000030000000700000000000000" + "00000000"));
    }

    /// Version 1, four credits, a table of 16 entries, a ring of 64 KiB.
    static List<byte[]> greetings() {
        return List.of(ByteBuffer.allocate(40)
                .put((byte) 1)
                .put((byte) 0)
                .putShort((short) 4)
                .putInt(0)
                .putLong(0x1000)
                .putInt(0x203)
                .putInt(16)
                .putLong(0x2000)
                .putInt(0x304)
                .putInt(1 << 16)
                .array());
    }

    /// An `int`, and `struct pair` of two of them.
    static List<byte[]> btf() {
        byte[] names = "\0int\0pair\0a\0b\0".getBytes(StandardCharsets.US_ASCII);
        int[] types = {1, 1 << 24, 4, 32, 5, 4 << 24 | 2, 8, 10, 1, 0, 12, 1, 32};
        ByteBuffer image = ByteBuffer.allocate(24 + 4 * types.length + names.length).order(ByteOrder.LITTLE_ENDIAN);
        image.putShort((short) 0xeb9f).put((byte) 1).put((byte) 0).putInt(24);
        image.putInt(0).putInt(4 * types.length).putInt(4 * types.length).putInt(names.length);
        for (int word : types) {
            image.putInt(word);
        }
        return List.of(image.put(names).array());
    }

    private static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits);
    }

    private static byte[] join(byte[]... parts) {
        ByteBuffer all = ByteBuffer.allocate(Arrays.stream(parts).mapToInt(part -> part.length).sum());
        for (byte[] part : parts) {
            all.put(part);
        }
        return all.array();
    }
}
