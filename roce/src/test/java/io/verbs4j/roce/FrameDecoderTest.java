// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import static io.verbs4j.roce.RoceHeadersTest.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class FrameDecoderTest {
    private static final int ETHERNET_BYTES = 14;
    private static final String MACS = "020000000001 020000000002 ";
    private static final String TRANSPORT = "c121 12b7 001c 0000 11 40 ffff 00 000011 00 c3c5a4 1f000001 00000000";
    private static final String IP = "45a1 0030 0000 4000 4011 2698 0a090002 0a090001" + TRANSPORT;
    /// An acknowledgement from 10.9.0.2 to 10.9.0.1, as rxe sends it, but with a DSCP and ECN.
    private static final String ACK_FRAME = MACS + "0800" + IP;
    private static final byte[] ACK = bytes(ACK_FRAME);
    /// The same packet over IPv6.
    private static final String IP6 =
            "6a1fffff 001c 11 40 fe80000000000000 0000000000000002 fe80000000000000 0000000000000001";

    private static DecodedFrame decode(int linkType, byte... bytes) {
        return FrameDecoder.decode(new CapturedFrame(7, 5, linkType, bytes.length, bytes));
    }

    private static DecodedFrame decode(byte... bytes) {
        return decode(LinkTypes.ETHERNET, bytes);
    }

    private static RoceFrame whole(byte... bytes) {
        return (RoceFrame) decode(bytes);
    }

    @Test
    void packetIsFoundInItsFrame() {
        RoceFrame found = whole(ACK);

        assertThat(found.number()).isEqualTo(7);
        assertThat(found.nanoseconds()).isEqualTo(5);
        assertThat(found.source().getHostAddress()).isEqualTo("10.9.0.2");
        assertThat(found.destination().getHostAddress()).isEqualTo("10.9.0.1");
        assertThat(found.sourcePort()).isEqualTo(0xc121);
        assertThat(found.layers().version()).isEqualTo(2);
        assertThat(found.layers().dscp()).isEqualTo(40);
        assertThat(found.layers().ecn()).isEqualTo(1);
        assertThat(found.layers().hopLimit()).isEqualTo(64);
        assertThat(found.packet().bth().opcode()).isEqualTo(RoceOpcode.RC_ACKNOWLEDGE);
        assertThat(found.isIntact()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
            "8100 2005, 5/1/false",
            "88a8 0064 8100 0005, 100/0/false 5/0/false",
            "88a8 f064 88a8 0006 8100 0005, 100/7/true 6/0/false 5/0/false",
            "9100 0064 8100 0005, 100/0/false 5/0/false",
            "8100 0001 8100 0002, 1/0/false 2/0/false"
    })
    void vlanTagsAndEthernetPaddingDoNotDisturb(String tags, String expected) {
        byte[] tagged = Arrays.copyOf(bytes(MACS + tags + "0800" + IP), 100);
        RoceFrame plain = whole(ACK);

        RoceFrame found = whole(tagged);

        assertThat(found.layers().vlans()).extracting(tag -> tag.id() + "/" + tag.priority() + "/" + tag.dropEligible())
                .containsExactly(expected.split(" "));
        assertThat(found.packet()).isEqualTo(plain.packet());
        assertThat(found.expectedIcrc()).isEqualTo(plain.expectedIcrc());
    }

    static Stream<String[]> tunnels() {
        String outer = "4500 ffff 0000 4000 40";
        String addresses = " 0000 01010101 02020202 ";
        String frame = ACK_FRAME;
        return Stream.of(
                new String[]{"11" + addresses + "1111 12b5 0000 0000 0800 0000 010203 00" + frame, "VXLAN 66051"},
                new String[]{"11" + addresses + "1111 2118 0000 0000 0800 0000 00002a 00" + frame, "VXLAN 42"},
                new String[]{"2f" + addresses + "0000 88be" + frame, "ERSPAN I"},
                new String[]{"2f" + addresses + "1000 88be 00000001 1000 0c05 00000000" + frame, "ERSPAN II 5"},
                new String[]{"2f" + addresses + "1000 22eb 00000001 2000 0c06 00000000 0000 0000" + frame,
                        "ERSPAN III 6"},
                new String[]{
                        "2f" + addresses + "1000 22eb 00000001 2000 0c06 00000000 0000 0001 0102030405060708" + frame,
                        "ERSPAN III 6"
                },
                new String[]{"2f" + addresses + "1000 22eb 00000001 2000 0c06 00000000 0000 0800" + IP, "ERSPAN III 6"},
                new String[]{"2f" + addresses + "b000 6558 0000 0000 00000007 00000001" + frame, "GRE"},
                new String[]{"2f" + addresses + "0000 0800" + IP, "GRE"},
                new String[]{"2f" + addresses + "8000 0800 0000 0000" + IP, "GRE"},
                new String[]{"2f" + addresses + "2000 0800 00000007" + IP, "GRE"},
                new String[]{"2f" + addresses + "1000 0800 00000001" + IP, "GRE"},
                new String[]{"2f" + addresses + "1000 88be 00000001 1000 ffff 00000000" + frame, "ERSPAN II 1023"},
                new String[]{"04" + addresses + IP, "IP in IP"})
                .map(each -> new String[]{MACS + "8100 0009 0800" + outer + each[0], each[1]});
    }

    @ParameterizedTest
    @MethodSource("tunnels")
    void packetIsFoundInWhatCarriesItsFrame(String hex, String tunnel) {
        byte[] frame = bytes(hex);
        frame[18 + 2] = (byte) (frame.length - 18 >>> 8); // the outer packet's length
        frame[18 + 3] = (byte) (frame.length - 18);

        RoceFrame found = whole(frame);

        assertThat(found.layers().tunnels()).containsExactly(tunnel);
        assertThat(found.layers().vlans()).extracting(VlanTag::id).containsExactly(9);
        assertThat(found.source().getHostAddress()).isEqualTo("10.9.0.2");
        assertThat(found.packet()).isEqualTo(whole(ACK).packet());
        assertThat(found.expectedIcrc()).isEqualTo(whole(ACK).expectedIcrc());
    }

    @Test
    void tunnelsWithinTunnelsAreRead() {
        String outer = "4500 0000 0000 4000 4004 0000 01010101 02020202";

        assertThat(decode(LinkTypes.RAW_IP, bytes(outer.repeat(16) + IP)))
                .isInstanceOfSatisfying(RoceFrame.class, frame -> assertThat(frame.layers().tunnels()).hasSize(16));
        assertThat(decode(LinkTypes.RAW_IP, bytes(outer.repeat(50_000) + IP))).isEqualTo(OtherFrame.OTHER_PROTOCOL);
    }

    @Test
    void otherLinkTypesAreRead() throws IOException {
        byte[] ip = Arrays.copyOfRange(ACK, ETHERNET_BYTES, ACK.length);
        for (int linkType : new int[]{LinkTypes.RAW_IP, LinkTypes.IPV4}) {
            assertThat(decode(linkType, ip)).isInstanceOf(RoceFrame.class);
        }
        assertThat(decode(LinkTypes.IPV6, bytes(IP6 + TRANSPORT))).isInstanceOf(RoceFrame.class);
        // By tcpdump 4.99.3 -i any -y LINUX_SLL, over IPv4 and IPv6.
        var addresses = new ArrayList<String>();
        try (
                var reader = new PcapReader(
                        FrameDecoderTest.class.getResourceAsStream("any-sll.pcap"), "any-sll.pcap")) {
            for (CapturedFrame frame = reader.next(); frame != null; frame = reader.next()) {
                addresses.add(((RoceFrame) FrameDecoder.decode(frame)).source().getHostAddress());
            }
        }
        assertThat(addresses).containsExactly("127.0.0.1", "0:0:0:0:0:0:0:1");
    }

    @Test
    void ipV6MayHaveExtensionHeaders() {
        RoceFrame plain = whole(bytes(MACS + "86dd" + IP6 + TRANSPORT));
        String extended = IP6.replace("001c 11", "0034 00");

        RoceFrame found = whole(bytes(MACS + "86dd" + extended + "3c00 000000000000" + "2b00 000000000000"
                + "1100 000000000000" + TRANSPORT));

        assertThat(plain.layers().dscp()).isEqualTo(40);
        assertThat(plain.layers().ecn()).isEqualTo(1);
        assertThat(plain.destination().getHostAddress()).isEqualTo("fe80:0:0:0:0:0:0:1");
        assertThat(found.packet()).isEqualTo(plain.packet());
        assertThat(whole(bytes(MACS + "86dd" + IP6.replace("001c 11", "0034 00") + "1102" + "00".repeat(22)
                + TRANSPORT)).packet()).as("an extension of 24 bytes").isEqualTo(plain.packet());
        assertThat(whole(bytes(MACS + "86dd" + IP6.replace("001c 11", "0024 2c") + "1100 0000 00000001"
                + TRANSPORT)).packet()).as("the only fragment").isEqualTo(plain.packet());
    }

    /// The global route header has the addresses 10.9.0.2 and 10.9.0.1. The rules of A16 determine the CRC, as for a
    /// card's packet.
    @Test
    void versionOneIsFoundByItsTypeOfEthernet() {
        byte[] frame = bytes(MACS + "8100 0007 8915 6a100000 0014 1b 3f"
                + "00000000000000000000ffff0a090002 00000000000000000000ffff0a090001"
                + "11 40 ffff 00 000011 00 c3c5a4 1f000001 00000000");
        RoceFrame found = whole(frame);

        assertThat(found.layers().version()).isEqualTo(1);
        assertThat(found.sourcePort()).isZero();
        assertThat(found.layers().vlans()).extracting(VlanTag::id).containsExactly(7);
        assertThat(found.source().getHostAddress()).isEqualTo("10.9.0.2");
        assertThat(found.layers().dscp()).isEqualTo(40);
        assertThat(found.layers().hopLimit()).isEqualTo(63);
        assertThat(found.packet()).isEqualTo(whole(ACK).packet());
        for (int changeable : new int[]{18, 19, 20, 21, 25, 62}) { // traffic class, flow label, hop limit, congestion
            byte[] changed = frame.clone();
            changed[changeable] ^= 1;
            assertThat(whole(changed).expectedIcrc()).isEqualTo(found.expectedIcrc());
        }
        for (int covered : new int[]{26, 57, 60, 65}) { // addresses, P_Key, queue pair
            byte[] changed = frame.clone();
            changed[covered] ^= 1;
            assertThat(whole(changed).expectedIcrc()).isNotEqualTo(found.expectedIcrc());
        }
    }

    @Test
    void otherPortsAndProtocolsAreNotOurs() {
        byte[] otherPort = ACK.clone();
        otherPort[37]++;
        byte[] tcp = ACK.clone();
        tcp[23] = 6;
        byte[] arp = ACK.clone();
        arp[13] = 6;

        assertThat(List.of(decode(otherPort), decode(tcp), decode(arp))).containsOnly(OtherFrame.OTHER_PROTOCOL);
    }

    @Test
    void framesThatMayHoldAPacketAreDistinguished() {
        byte[] fragment = ACK.clone();
        fragment[21] = 1;
        byte[] tcpFragment = fragment.clone();
        tcpFragment[23] = 6;

        assertThat(decode(fragment)).isEqualTo(OtherFrame.FRAGMENT);
        assertThat(decode(tcpFragment)).isEqualTo(OtherFrame.OTHER_PROTOCOL);
        assertThat(decode(bytes(MACS + "86dd" + IP6.replace("001c 11", "001c 2c") + "1100 0009 00000001")))
                .isEqualTo(OtherFrame.FRAGMENT);
        assertThat(decode(bytes(MACS + "86dd" + IP6.replace("001c 11", "001c 2c") + "1100 0008 00000001")))
                .isEqualTo(OtherFrame.FRAGMENT);
        for (int length : new int[]{10, 13, 14, 33, 34, 41}) {
            assertThat(decode(Arrays.copyOf(ACK, length))).as("%d bytes", length).isEqualTo(OtherFrame.TOO_SHORT);
        }
        assertThat(decode(197, ACK)).isEqualTo(OtherFrame.UNKNOWN_LINK_TYPE);
        assertThat(LinkTypes.explain(197)).contains("ERF", "ibdump", "InfiniBand").doesNotContain("any");
        assertThat(LinkTypes.explain(105)).startsWith("link type 105 is not read here");
        for (int known : new int[]{1, 101, 113, 228, 229, 276}) {
            assertThat(LinkTypes.isKnown(known)).isTrue();
        }
        assertThat(LinkTypes.isKnown(197)).isFalse();
    }

    private static DamagedFrame damaged(CapturedFrame frame) {
        return (DamagedFrame) FrameDecoder.decode(frame);
    }

    /// Returns a write of 1024 bytes that was captured with a snap length of 96: 26 bytes remain after the headers.
    private static byte[] write(int length) {
        return Arrays.copyOf(bytes(MACS + "0800 4500 043c 0000 4000 4011 0000 0a090002 0a090001 c121 12b7 0428 0000"
                + "06 40 ffff 00 000011 00 c3c5a4  0000000000001000 00000663 00000800"), length);
    }

    @Test
    void cutPacketsAreDecodedAsFarAsTheyGo() {
        DamagedFrame snap = damaged(new CapturedFrame(1, 0, 1098, write(96)));
        assertThat(snap.problem()).isEqualTo("96 of 1098 bytes captured");
        assertThat(snap.layers().source().getHostAddress()).isEqualTo("10.9.0.2");
        assertThat(snap.start().bth().orElseThrow().opcode()).hasToString("RC RDMA Write First");
        assertThat(snap.start().extensions()).containsExactly(new Reth(0x1000, 0x663, 2048));
        assertThat(snap.payloadLength()).hasValue(1024);

        DamagedFrame adapter = damaged(new CapturedFrame(1, 0, 96, write(96)));
        assertThat(adapter.problem()).isEqualTo("96 of 1098 bytes are there, by the length of IP");
        assertThat(adapter.start()).isEqualTo(snap.start());
        assertThat(adapter.payloadLength()).hasValue(1024);

        DamagedFrame within = damaged(new CapturedFrame(1, 0, 1098, write(60)));
        assertThat(within.problem()).isEqualTo("60 of 1098 bytes captured, ends within RETH");
        assertThat(within.start().bth()).isPresent();
        assertThat(within.payloadLength()).isEmpty();

        DamagedFrame before = damaged(new CapturedFrame(1, 5, 1098, write(53)));
        assertThat(before.problem()).isEqualTo("53 of 1098 bytes captured, ends within BTH");
        assertThat(before.start().bth()).isEmpty();
        assertThat(List.of(before.number(), before.nanoseconds(), (long) before.capturedLength()))
                .containsExactly(1L, 5L, 53L);
    }

    @Test
    void lengthsThatClaimTooMuchAreNamed() {
        byte[] udp = ACK.clone();
        udp[38] = 1;
        udp[39] = (byte) 0xf4;
        DamagedFrame found = damaged(new CapturedFrame(1, 0, udp.length, udp));

        assertThat(found.problem()).isEqualTo("UDP claims a length of 500 bytes, the IP packet has 28");
        assertThat(found.start().extensions()).containsExactly(new Aeth(0x1f, 1));
        assertThat(found.payloadLength()).hasValue(0);
        udp[38] = 0;
        udp[39] = 7;
        assertThat(damaged(new CapturedFrame(1, 0, udp.length, udp)).problem())
                .isEqualTo("UDP claims a length of 7 bytes, its header alone has 8");
        udp[39] = 8;
        assertThat(damaged(new CapturedFrame(1, 0, udp.length, udp)).problem())
                .isEqualTo("too short for a RoCE packet: length=0, ends within BTH");
        udp[39] = 20;
        assertThat(damaged(new CapturedFrame(1, 0, udp.length, udp)).problem())
                .isEqualTo("too short for a RoCE packet: length=12, ends within BTH");
        byte[] pads = ACK.clone();
        pads[43] = 0x70;
        DamagedFrame padded = damaged(new CapturedFrame(1, 0, pads.length, pads));
        assertThat(padded.problem()).isEqualTo("has more padding than payload: padCount=3");
        assertThat(padded.payloadLength()).isEqualTo(OptionalInt.empty());
        assertThat(padded.start().extensions()).hasSize(1);
        byte[] version1 = bytes(MACS + "8915 60000000 0100 1b 3f" + "00".repeat(32) + "11 40 ffff 00 000011 00 c3c5a4");
        assertThat(damaged(new CapturedFrame(1, 0, version1.length, version1)).problem())
                .isEqualTo("66 of 310 bytes are there, by the length of the global route header, ends within AETH");
        byte[] cut =
                bytes(MACS + "8915 60000000 0018 1b 3f" + "00".repeat(32) + "11 40 ffff 00 000011 00 c3c5a4 1f000001");
        assertThat(damaged(new CapturedFrame(1, 0, cut.length, cut)).payloadLength()).hasValue(4);
    }

    /// The length of IP ends before the padding of Ethernet.
    @ParameterizedTest
    @CsvSource({"0800 45a1 0030 0000 4000 4011 2698 0a090002 0a090001", "86dd " + IP6})
    void udpLongerThanItsIpPacketIsNamed(String headers) {
        byte[] padded = bytes(MACS + headers + TRANSPORT.replace("12b7 001c", "12b7 001d") + "0000");
        assertThat(damaged(new CapturedFrame(1, 0, padded.length, padded)).problem())
                .isEqualTo("UDP claims a length of 29 bytes, the IP packet has 28");
    }

    /// A capture file may claim 4 GiB for a frame. The lengths of IP and UDP are 0, so the frame's length counts.
    @Test
    void aPayloadThatNoPacketCanHaveHasNoLength() {
        byte[] frame = bytes(
                MACS + "86dd" + IP6.replace("001c 11", "0000 11") + TRANSPORT.replace("001c 0000", "0000 0000"));
        assertThat(damaged(new CapturedFrame(1, 0, 0x8000_0200L, frame)).payloadLength()).isEmpty();
        assertThat(damaged(new CapturedFrame(1, 0, 0x7fff_0000L, frame)).payloadLength()).isPresent();
    }

    @Test
    void anIpPacketMayEndWithItsHeader() {
        byte[] empty = ACK.clone();
        empty[17] = 20;
        assertThat(damaged(new CapturedFrame(1, 0, empty.length, empty)).problem())
                .isEqualTo("UDP claims a length of 28 bytes, the IP packet has 0, ends within BTH");
    }

    /// A length field of 16 bits cannot contain the length of a datagram that an adapter will segment.
    @ParameterizedTest
    @CsvSource({"65535, false", "65536, true"})
    void udpHasNoLengthIfItDoesNotFit(int datagram, boolean found) {
        byte[] large = Arrays.copyOf(
                bytes(MACS + "86dd" + IP6.replace("001c 11", "0000 11") + TRANSPORT.replace("001c 0000", "0000 0000")),
                ETHERNET_BYTES + 40 + datagram);
        DecodedFrame frame = decode(large);
        assertThat(frame instanceof RoceFrame).isEqualTo(found);
        if (found) {
            assertThat(((RoceFrame) frame).packet().payloadLength()).isEqualTo(datagram - 8 - 12 - 4 - 4);
        } else {
            assertThat(((DamagedFrame) frame).problem()).startsWith("UDP claims a length of 0 bytes");
        }
    }

    @Test
    void aFirstFragmentIsDecodedAsFarAsItGoes() {
        byte[] first = ACK.clone();
        first[20] = 0x20; // more follow
        first[38] = 5;
        DamagedFrame found = damaged(new CapturedFrame(1, 0, first.length, first));

        assertThat(found.problem()).isEqualTo("the rest is in other IP fragments");
        assertThat(found.start().extensions()).containsExactly(new Aeth(0x1f, 1));
        assertThat(found.payloadLength()).isEmpty();
        byte[] overIpV6 = bytes(MACS + "86dd" + IP6.replace("001c 11", "0024 2c") + "1100 0001 00000001" + TRANSPORT);
        assertThat(damaged(new CapturedFrame(1, 0, overIpV6.length, overIpV6)).problem()).isEqualTo(found.problem());
    }

    /// If an adapter segments a message itself, its IP length is 0.
    @Test
    void aLengthOfZeroIsThatOfTheFrame() {
        byte[] zero = ACK.clone();
        zero[17] = 0;

        assertThat(whole(zero).packet()).isEqualTo(whole(ACK).packet());
        assertThat(whole(bytes(MACS + "86dd" + IP6.replace("001c 11", "0000 11") + TRANSPORT)).packet())
                .isEqualTo(whole(ACK).packet());
    }

    @Test
    void noBytesMakeItFail() {
        var random = new Random(4791);
        List<byte[]> starts = Stream.concat(
                tunnels().map(each -> bytes(each[0])),
                Stream.of(ACK, bytes(MACS + "86dd" + IP6 + TRANSPORT)))
                .toList();
        int[] linkTypes = {1, 101, 113, 228, 229, 276};
        for (int round = 0; round < 40_000; round++) {
            byte[] start = starts.get(random.nextInt(starts.size()));
            byte[] bytes = Arrays.copyOf(start, random.nextInt(start.length + 8));
            for (int change = random.nextInt(4); change > 0 && bytes.length > 0; change--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            int linkType = random.nextInt(4) > 0 ? 1 : linkTypes[random.nextInt(linkTypes.length)];
            long original = bytes.length + (random.nextBoolean() ? 0 : random.nextInt(2000));
            DecodedFrame found = FrameDecoder.decode(new CapturedFrame(1, 0, linkType, original, bytes));
            if (found instanceof DamagedFrame damaged) {
                assertThat(damaged.problem()).isNotEmpty().doesNotStartWith(",");
                assertThat(damaged.payloadLength().orElse(0)).isNotNegative();
            }
        }
    }
}
