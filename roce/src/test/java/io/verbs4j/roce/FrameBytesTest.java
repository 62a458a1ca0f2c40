// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import static io.verbs4j.roce.RoceHeadersTest.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Compares each byte of encoded frames. Decodes frames that are cut at each length. The expected frames, with their
/// checksums and invariant CRCs, were computed without this library, from the masks of IBA vol. 1, annex A17.
class FrameBytesTest {
    private static final String MACS = "020000000002 020000000001 ";
    private static final String UDP = "c121 12b7 001c 0000 1140ffff0000001100c3c5a41f000001 ";
    private static final RoceV2Packet ACKNOWLEDGE = new RoceV2Packet.Builder()
            .bth(new Bth(
                    RoceOpcode.RC_ACKNOWLEDGE, false, true, 0, 0, 0xffff, false, false, 0x11, false, 0xc3c5a4))
            .extensions(new Aeth(0x1f, 1))
            .build();

    @ParameterizedTest
    @CsvSource({
            "10.9.0.2, 10.9.0.1, 0800 4500003000004000401126a9 0a090002 0a090001, 6b79529e",
            "fe80::2, fe80::1, 86dd 60000000001c1140 fe800000000000000000000000000002"
                    + " fe800000000000000000000000000001, db2dbbe0"
    })
    void framesHaveTheseBytes(String source, String destination, String header, String icrc)
            throws UnknownHostException {
        byte[] frame = FrameEncoder.encode(
                InetAddress.getByName(source), InetAddress.getByName(destination), 0xc121, ACKNOWLEDGE);
        assertThat(frame).isEqualTo(bytes(MACS + header + UDP + icrc));
        var decoded = (RoceFrame) FrameDecoder.decode(new CapturedFrame(1, 0, frame.length, frame));
        assertThat(decoded.isIntact()).isTrue();
        assertThat(decoded.packet().toBuilder().icrc(0).build()).isEqualTo(ACKNOWLEDGE);
    }

    private static final String IP4 = "4500 0030 0000 4000 4011 0000 0a090002 0a090001 ";
    private static final String IP6 =
            "60000000 001c 11 40 fe800000000000000000000000000002 fe800000000000000000000000000001 ";

    /// `start` is the offset of the packet. A shorter frame contains no packet.
    @ParameterizedTest
    @CsvSource({
            "1, ipv4, '', 42",
            "1, ipv6, '', 62",
            "1, ipv4, 8100 0005, 46",
            "1, ipv6, 8100 0005, 66",
            "101, ipv4, '', 28",
            "101, ipv6, '', 48",
            "228, ipv4, '', 28",
            "229, ipv6, '', 48",
            "113, ipv4, '', 44",
            "113, ipv6, '', 64",
            "276, ipv4, '', 48",
            "276, ipv6, '', 68"
    })
    void framesThatEndInTheirHeadersAreTooShort(int linkType, String version, String tags, int start) {
        boolean ipV4 = version.equals("ipv4");
        String type = tags + (ipV4 ? "0800" : "86dd");
        String link = switch (linkType) {
            case LinkTypes.ETHERNET -> MACS + type;
            case LinkTypes.LINUX_COOKED -> "0000 0001 0006 020000000001 0000" + type;
            case LinkTypes.LINUX_COOKED_2 -> type + "0000 00000001 0001 00 06 020000000001 0000";
            default -> "";
        };
        byte[] frame = bytes(link + (ipV4 ? IP4 : IP6) + UDP + "00000000");
        for (int length = 0; length < start; length++) {
            assertThat(cut(frame, length, linkType)).as("%d bytes", length).isEqualTo(OtherFrame.TOO_SHORT);
        }
        for (int length = start; length < frame.length; length++) {
            assertThat(cut(frame, length, linkType)).as("%d bytes", length).isInstanceOf(DamagedFrame.class);
        }
        assertThat(cut(frame, frame.length, linkType)).isInstanceOf(RoceFrame.class);
    }

    private static DecodedFrame cut(byte[] frame, int length, int linkType) {
        return FrameDecoder.decode(new CapturedFrame(1, 0, linkType, frame.length, Arrays.copyOf(frame, length)));
    }

    @ParameterizedTest
    @CsvSource({
            "70, OTHER_PROTOCOL", // version 7
            "4500 0014 0000 4000 4006 0000 0a090002 0a090001, OTHER_PROTOCOL", // TCP
            "60000000 0000 06 40 00000000000000000000000000000000 00000000000000000000000000000000, OTHER_PROTOCOL",
            "60000000 0008 00 40 00000000000000000000000000000000 00000000000000000000000000000000 0600000000000000,"
                    + " OTHER_PROTOCOL",
            "60000000 0008 00 40 00000000000000000000000000000000 00000000000000000000000000000000 06000000000000,"
                    + " TOO_SHORT",
            "4400 0030 0000 4000 4011 0000 0a090002 0a090001, OTHER_PROTOCOL", // header of 16 bytes
            "4500 0013 0000 4000 4011 0000 0a090002 0a090001, OTHER_PROTOCOL", // shorter than its header
            "4500 001c 0000 4000 4011 0000 0a090002 0a090001 c121 12b8 0008 0000, OTHER_PROTOCOL", // another port
            "4500 0030 0000 4000 402f 0000 0a090002 0a090001 0000 08, TOO_SHORT", // GRE
            "4500 0030 0000 4000 402f 0000 0a090002 0a090001 0000 1234, OTHER_PROTOCOL",
            "4500 0030 0000 4000 402f 0000 0a090002 0a090001 1000 88be 00000001 1000 0000 000000, TOO_SHORT",
            "4500 0030 0000 4000 402f 0000 0a090002 0a090001 1000 22eb 00000001 1000 0000 00000000 000000, TOO_SHORT",
            "4500 0030 0000 4000 402f 0000 0a090002 0a090001 0000 22eb 1000 0000 00000000 0000 0400, OTHER_PROTOCOL"
    })
    void otherFramesAreDistinguished(String packet, OtherFrame expected) {
        byte[] bytes = bytes(packet);
        assertThat(FrameDecoder.decode(new CapturedFrame(1, 0, LinkTypes.RAW_IP, bytes.length, bytes)))
                .isEqualTo(expected);
    }

    /// The header of the link ends the frame, and has the type of ARP. RoCE v1 is IPv6 without the next header of RoCE.
    @ParameterizedTest
    @CsvSource({
            "1, 020000000002 020000000001 0806",
            "1, 020000000002 020000000001 8100 0005 0806",
            "113, 0000 0001 0006 020000000001 0000 0806",
            "276, 0806 0000 00000001 0001 00 06 020000000001 0000",
            "1, 020000000002 020000000001 8915 60000000 0000 11 40 00000000000000000000000000000000"
                    + " 00000000000000000000000000000000",
            "1, 020000000002 020000000001 8915 50000000 0000 1b 40 00000000000000000000000000000000"
                    + " 00000000000000000000000000000000"
    })
    void otherTypesAreRecognizedByTheHeaderAlone(int linkType, String header) {
        byte[] frame = bytes(header);
        assertThat(cut(frame, frame.length, linkType)).isEqualTo(OtherFrame.OTHER_PROTOCOL);
        assertThat(cut(frame, frame.length - 1, linkType)).isEqualTo(OtherFrame.TOO_SHORT);
    }

    /// RFC 1071: with its checksum, the sum of a header's words is all ones. Sums with two carries are among these.
    @Test
    void theChecksumOfIpV4CompletesTheSum() throws UnknownHostException {
        InetAddress source = InetAddress.getByName("255.255.255.255");
        for (int i = 0; i < 1 << 16; i++) {
            InetAddress destination = InetAddress.getByAddress(new byte[]{-1, -1, (byte) (i >> 8), (byte) i});
            var header = ByteBuffer.wrap(FrameEncoder.encode(source, destination, 0, ACKNOWLEDGE), 14, 20);
            int sum = 0;
            while (header.hasRemaining()) {
                sum += Short.toUnsignedInt(header.getShort());
            }
            while (sum > 0xffff) {
                sum = (sum & 0xffff) + (sum >>> 16);
            }
            assertThat(sum).isEqualTo(0xffff);
        }
    }

    @Test
    void theTimersOfRetriesAreThoseOfTheSpecification() {
        String table = "655.36 0.01 0.02 0.03 0.04 0.06 0.08 0.12 0.16 0.24 0.32 0.48 0.64 0.96 1.28 1.92 2.56 3.84"
                + " 5.12 7.68 10.24 15.36 20.48 30.72 40.96 61.44 81.92 122.88 163.84 245.76 327.68 491.52";
        List<String> milliseconds = List.of(table.split(" "));
        for (int code = 0; code < 32; code++) {
            assertThat(new Aeth(0x20 | code, 0).meaning())
                    .isEqualTo("RNR NAK, wait " + milliseconds.get(code) + " ms");
        }
    }

    @Test
    void theBuiltInPacketIsAnAcknowledgementToThisHost() {
        RoceFrame frame = FrameDecoder.warmUp();
        assertThat(frame.isIntact()).isTrue();
        assertThat(frame.packet().bth().opcode()).isEqualTo(RoceOpcode.RC_ACKNOWLEDGE);
        assertThat(frame.packet().extension(Aeth.class)).contains(new Aeth(0, 0));
        assertThat(frame.packet().payloadLength()).isZero();
        assertThat(List.of(frame.number(), frame.nanoseconds(), (long) frame.sourcePort())).containsExactly(1L, 0L, 0L);
        assertThat(List.of(frame.source(), frame.destination())).containsOnly(InetAddress.getLoopbackAddress());
    }

    @Test
    void equalPacketsHaveEqualHashes() {
        RoceV2Packet packet = ACKNOWLEDGE.toBuilder().payload((byte) 1, (byte) 2).icrc(3).build();
        RoceV2Packet equal = new RoceV2Packet.Builder()
                .bth(packet.bth())
                .extensions(new Aeth(0x1f, 1))
                .payload((byte) 1, (byte) 2)
                .icrc(3)
                .build();
        assertThat(equal).isEqualTo(packet).hasSameHashCodeAs(packet);
        assertThat(ACKNOWLEDGE.toBuilder().build()).isEqualTo(ACKNOWLEDGE).hasSameHashCodeAs(ACKNOWLEDGE);
        assertThat(ACKNOWLEDGE.payload()).isEmpty();
    }

    @Test
    void packetsWithOtherContentsDiffer() {
        var bth = new Bth(RoceOpcode.RC_ACKNOWLEDGE, false, true, 0, 0, 0xffff, false, false, 0x12, false, 0xc3c5a4);
        List<RoceV2Packet> packets = List.of(
                ACKNOWLEDGE,
                ACKNOWLEDGE.toBuilder().bth(bth).build(),
                ACKNOWLEDGE.toBuilder().extensions(new Aeth(0x1f, 2)).build(),
                ACKNOWLEDGE.toBuilder().payload(new byte[4]).build(),
                ACKNOWLEDGE.toBuilder().payload((byte) 0, (byte) 0, (byte) 0, (byte) 1).build(),
                ACKNOWLEDGE.toBuilder().icrc(1).build());
        assertThat(packets).doesNotHaveDuplicates();
        assertThat(packets.subList(1, packets.size()))
                .extracting(RoceV2Packet::hashCode)
                .doesNotContain(ACKNOWLEDGE.hashCode());
    }

    /// Another program can read a file after each write, and nothing is left open.
    @Test
    void filesAreWrittenAtOnceAndClosed() throws IOException {
        var closed = new boolean[1];
        var file = new ByteArrayOutputStream() {
            @Override
            public void close() {
                closed[0] = true;
            }
        };
        var writer = new PcapWriter(new BufferedOutputStream(file));
        assertThat(file.size()).isEqualTo(24);
        writer.write(new CapturedFrame(1, 5, 3, new byte[3]));
        assertThat(file.size()).isEqualTo(24 + 16 + 3);
        writer.close();
        assertThat(closed[0]).isTrue();
        closed[0] = false;
        new PcapReader(new ByteArrayInputStream(file.toByteArray()) {
            @Override
            public void close() {
                closed[0] = true;
            }
        }, "wire.pcap").close();
        assertThat(closed[0]).isTrue();
    }
}
