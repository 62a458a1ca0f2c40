// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/// Encodes any packet into a frame and decodes the frame. The packet must stay the same, and its invariant CRC must
/// cover exactly the fields that no router may change.
class RoceV2PacketProperties {
    private static final List<RoceOpcode> OPCODES =
            IntStream.range(0, 256).mapToObj(RoceOpcode::new).filter(RoceOpcode::known).toList();
    private static final int ETHERNET_BYTES = 14;
    private static final int IPV4_BYTES = 20;
    private static final int IPV6_BYTES = 40;
    private static final int UDP_BYTES = 8;
    private static final int PORT_BYTES = 2;
    private static final int UDP_CHECKSUM = 6;
    private static final int BTH_CONGESTION = UDP_BYTES + 4;

    @Provide
    Arbitrary<RoceV2Packet> packets() {
        return Arbitraries.randomValue(RoceV2PacketProperties::packet);
    }

    private static RoceV2Packet packet(Random random) {
        RoceOpcode opcode = OPCODES.get(random.nextInt(OPCODES.size()));
        byte[] payload = new byte[random.nextInt(8) == 0 ? 4096 : random.nextInt(40)];
        random.nextBytes(payload);
        var bth = new Bth(
                opcode, random.nextBoolean(), random.nextBoolean(), Bth.padCount(payload.length), random.nextInt(16),
                random.nextInt(1 << 16), random.nextBoolean(), random.nextBoolean(), random.nextInt(1 << 24),
                random.nextBoolean(), random.nextInt(1 << 24));
        return new RoceV2Packet.Builder()
                .bth(bth)
                .extensions(bth.following().stream().map(kind -> header(kind, random)).toArray(RoceHeader[]::new))
                .payload(payload)
                .build();
    }

    private static RoceHeader header(HeaderKind kind, Random random) {
        return switch (kind) {
            case DETH -> new Deth(random.nextInt(), random.nextInt(1 << 24));
            case FETH -> new Feth(random.nextInt(16), random.nextInt(4));
            case RETH -> new Reth(random.nextLong(), random.nextInt(), random.nextInt() & 0xffff_ffffL);
            case ATOMIC_ETH ->
                new AtomicEth(random.nextLong(), random.nextInt(), random.nextLong(), random.nextLong());
            case AETH -> new Aeth(random.nextInt(256), random.nextInt(1 << 24));
            case ATOMIC_ACK_ETH -> new AtomicAckEth(random.nextLong());
            case IMM_DT -> new ImmDt(random.nextInt());
            case IETH -> new Ieth(random.nextInt());
            case DC_ETH -> new DcEth(random.nextLong());
            case DC_CONNECT_ETH -> new DcConnectEth(random.nextLong(), random.nextLong());
            case RDETH -> new Rdeth(random.nextInt(1 << 24));
            case XRC_ETH -> new XrcEth(random.nextInt(1 << 24));
        };
    }

    private static byte[] frame(RoceV2Packet packet, boolean ipV6) {
        try {
            String prefix = ipV6 ? "fe80::" : "10.9.0.";
            return FrameEncoder.encode(
                    InetAddress.getByName(prefix + "1"), InetAddress.getByName(prefix + "2"), 49_152, packet);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private static RoceFrame decoded(byte[] frame) {
        return (RoceFrame) decode(frame);
    }

    private static DecodedFrame decode(byte[] frame) {
        return FrameDecoder.decode(new CapturedFrame(1, 0, frame.length, frame));
    }

    @Property(tries = 500)
    void packetsComeBackFromTheirFrames(@ForAll("packets") RoceV2Packet packet, @ForAll boolean ipV6) {
        RoceFrame found = decoded(frame(packet, ipV6));

        assertThat(found.isIntact()).isTrue();
        assertThat(found.packet().toBuilder().icrc(packet.icrc()).build()).isEqualTo(packet);
        assertThat(found.sourcePort()).isEqualTo(49_152);
        assertThat(found.destination().getHostAddress()).startsWith(ipV6 ? "fe80:" : "10.9.0.2");
        assertThat(found.packet().payloadLength() + found.packet().bth().padCount()).matches(length -> length % 4 == 0);
    }

    @Property(tries = 1000)
    void theInvariantCrcCoversEveryBitButThoseOfRouters(
            @ForAll("packets") RoceV2Packet packet, @ForAll boolean ipV6,
            @ForAll @IntRange(min = 0, max = 1 << 20) int at) {
        byte[] frame = frame(packet, ipV6);
        int udp = ETHERNET_BYTES + (ipV6 ? IPV6_BYTES : IPV4_BYTES);
        // The changed bit is after the lengths and ports that identify the packet: from the UDP checksum to the end of
        // the CRC.
        int bit = at % ((frame.length - udp - UDP_CHECKSUM) * 8);
        int offset = udp + UDP_CHECKSUM + bit / 8;
        frame[offset] ^= (byte) (1 << bit % 8);
        boolean changeable = offset < udp + UDP_BYTES || offset == udp + BTH_CONGESTION;
        // Another opcode or pad count is not valid for the packet.
        boolean found = decode(frame) instanceof RoceFrame whole && whole.isIntact();
        assertThat(found).as("bit %d of byte %d", bit % 8, offset).isEqualTo(changeable);
    }

    @Property(tries = 200)
    void theInvariantCrcCoversAddressesAndTheSourcePort(
            @ForAll("packets") RoceV2Packet packet, @ForAll boolean ipV6, @ForAll @IntRange(max = 1 << 20) int at) {
        byte[] frame = frame(packet, ipV6);
        int udp = ETHERNET_BYTES + (ipV6 ? IPV6_BYTES : IPV4_BYTES);
        int addresses = ipV6 ? 32 : 8; // the last thing in either header
        int bit = at % ((addresses + PORT_BYTES) * 8);
        frame[udp - addresses + bit / 8] ^= (byte) (1 << bit % 8);
        assertThat(decoded(frame).isIntact()).as("bit %d", bit).isFalse();
    }

    @Property(tries = 200)
    void routersMayChangeWhatIsTheirs(@ForAll("packets") RoceV2Packet packet, @ForAll byte value) {
        byte[] ipV4 = frame(packet, false);
        ipV4[ETHERNET_BYTES + 1] = value; // type of service
        ipV4[ETHERNET_BYTES + 8] = value; // time to live
        ipV4[ETHERNET_BYTES + 10] = value; // checksum
        byte[] ipV6 = frame(packet, true);
        ipV6[ETHERNET_BYTES] = (byte) (0x60 | value & 0x0f); // traffic class
        ipV6[ETHERNET_BYTES + 1] = value; // and flow label
        ipV6[ETHERNET_BYTES + 3] = value;
        ipV6[ETHERNET_BYTES + 7] = value; // hop limit

        assertThat(decoded(ipV4).isIntact()).isTrue();
        assertThat(decoded(ipV6).isIntact()).isTrue();
    }

    @Property(tries = 50)
    void captureFilesKeepFramesAndTimes(@ForAll("packets") RoceV2Packet packet,
            @ForAll @IntRange(min = 0) int nanoseconds)
            throws IOException {
        byte[] frame = frame(packet, false);
        long time = 1_700_000_000_000_000_000L + nanoseconds;
        var file = new ByteArrayOutputStream();
        try (var writer = new PcapWriter(file)) {
            writer.write(new CapturedFrame(1, time, frame.length + 1, frame));
        }
        try (var reader = new PcapReader(new ByteArrayInputStream(file.toByteArray()), "file")) {
            CapturedFrame read = reader.next();
            assertThat(read).isNotNull();
            assertThat(read.nanoseconds()).isEqualTo(time);
            assertThat(read.bytes()).isEqualTo(frame);
            assertThat(read.isCut()).isTrue();
            assertThat(read.linkType()).isEqualTo(LinkTypes.ETHERNET);
            assertThat(reader.next()).isNull();
        }
    }
}
