// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.roce.Aeth;
import io.verbs4j.roce.AtomicAckEth;
import io.verbs4j.roce.AtomicEth;
import io.verbs4j.roce.Bth;
import io.verbs4j.roce.CapturedFrame;
import io.verbs4j.roce.Deth;
import io.verbs4j.roce.FrameDecoder;
import io.verbs4j.roce.Ieth;
import io.verbs4j.roce.ImmDt;
import io.verbs4j.roce.PcapReader;
import io.verbs4j.roce.Reth;
import io.verbs4j.roce.RoceFrame;
import io.verbs4j.roce.RoceHeader;
import io.verbs4j.roce.RoceV2Packet;
import io.verbs4j.simulator.LinkConditions;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// Wireshark decodes the packets of a simulated network like verbs4j. `simulated.pcap` was written by [#capture()], and
/// `simulated.tshark.txt` is the output of tshark 4.0.17 for it:
/// ```
/// tshark -r simulated.pcap -T fields -E occurrence=f -e udp.dstport -e ip.checksum.status -e _ws.malformed \
///     -e infiniband.bth.opcode … > simulated.tshark.txt
/// ```
/// with the fields in the order of [#fields(RoceFrame)].
class WiresharkReadsCapturesTest {
    private static final int LONG = 5001;

    /// Places of `bth.psn`, `reth.va`, `reth.r_key`, `ieth` and `invariant.crc` among the fields.
    private static final List<Integer> CHOSEN_OUTSIDE = List.of(11, 14, 15, 23, 24);

    @Test
    void fieldByFieldAsVerbs4j() throws IOException {
        List<String> lines = new String(resource("simulated.tshark.txt"), StandardCharsets.UTF_8).lines().toList();
        assertThat(frames(resource("simulated.pcap")).stream().map(WiresharkReadsCapturesTest::fields).toList())
                .isEqualTo(lines);
    }

    @Test
    void ofWhichARecordedOneIsLikeThoseOfToday() throws IOException {
        byte[] today = capture();
        Files.write(Path.of("target", "simulated.pcap"), today); // to be recorded anew, if it has to be
        assertThat(frames(today).stream().map(WiresharkReadsCapturesTest::shape).toList())
                .isEqualTo(frames(resource("simulated.pcap")).stream().map(WiresharkReadsCapturesTest::shape).toList());
    }

    /// Every operation of a reliable connection, over a wire that loses packets.
    private static byte[] capture() {
        var captured = new ByteArrayOutputStream();
        var network = SimulatedNetwork.inVirtualTime(4).capture(captured);
        try (var conversation = new Conversation(network, KernelProfile.LINUX_7_2, true, 7)) {
            network.conditions(LinkConditions.PERFECT.withLoss(0.15));
            var left = conversation.left;
            var right = conversation.right;
            try (var receives = right.queuePair().beginReceive()) {
                for (int i = 0; i < 3; i++) {
                    receives.receive(right.memory(), 0, LONG);
                }
                receives.submit();
            }
            var remote = right.memory().remote();
            try (var batch = left.queuePair().beginSend()) {
                batch.solicited().send().local(left.memory(), 0, LONG).post();
                batch.write().immediate(0x1234_5678).local(left.memory(), 0, LONG).remote(remote, 8192).post();
                batch.write().local(left.memory(), 0, 64).remote(remote, 16384).post();
                batch.read().local(left.memory(), 65_536, LONG).remote(remote).post();
                batch.fetchAndAdd(5).local(left.memory(), 131_072, Long.BYTES).remote(remote, 262_144).post();
                batch.compareAndSwap(5, 6).local(left.memory(), 131_080, Long.BYTES).remote(remote, 262_144).post();
                batch.signaled().send().immediate(9).local(left.memory(), 0, 3).post();
                batch.submit();
            }
            conversation.take(left, 1);
            try (var batch = left.queuePair().beginSend()) { // nobody receives it: the peer is not ready, as long as this lasts
                batch.send().invalidating(remote.remoteKey()).local(left.memory(), 0, 100).post();
                batch.submit();
            }
            network.advance(Duration.ofMillis(2));
        }
        return captured.toByteArray();
    }

    private static byte[] resource(String name) throws IOException {
        try (var stream = WiresharkReadsCapturesTest.class.getResourceAsStream(name)) {
            return stream.readAllBytes();
        }
    }

    private static List<RoceFrame> frames(byte[] capture) throws IOException {
        var frames = new ArrayList<RoceFrame>();
        try (var reader = new PcapReader(new ByteArrayInputStream(capture), "capture")) {
            for (CapturedFrame frame = reader.next(); frame != null; frame = reader.next()) {
                frames.add((RoceFrame) FrameDecoder.decode(frame));
            }
        }
        assertThat(frames).isNotEmpty().allMatch(RoceFrame::isIntact);
        return frames;
    }

    /// Returns time, addresses, payload and fields, except those not determined by the network's seed: sequence
    /// numbers, memory addresses, keys, and therefore the invariant CRC.
    private static String shape(RoceFrame frame) {
        String[] fields = fields(frame).split("\t", -1);
        for (int chosen : CHOSEN_OUTSIDE) {
            fields[chosen] = fields[chosen].isEmpty() ? "" : "…";
        }
        return frame.nanoseconds() + " " + frame.source() + " > " + frame.destination() + " "
                + frame.packet().payload().length + " bytes " + String.join(" ", fields);
    }

    /// Returns the port, the state of the IP checksum (2: not verified), whether the packet is malformed, and the
    /// fields of the headers with the prefix `infiniband.`: `bth.opcode`, `bth.se`, `bth.m`, `bth.padcnt`, `bth.tver`,
    /// `bth.p_key`, `bth.destqp`, `bth.a`, `bth.psn`, `deth.q_key`, `deth.srcqp`, `reth.va` and `reth.r_key` (those of
    /// atomics, too), `reth.dmalen`, `atomiceth.swapdt`, `atomiceth.cmpdt`, `aeth.syndrome`, `aeth.msn`,
    /// `atomicacketh.origremdt`, `immdt`, `ieth`, `invariant.crc`.
    private static String fields(RoceFrame frame) {
        RoceV2Packet packet = frame.packet();
        Bth bth = packet.bth();
        return String.join(
                "\t",
                Integer.toString(RoceV2Packet.UDP_PORT),
                "2",
                "",
                Integer.toString(bth.opcode().value()),
                bit(bth.solicited()),
                bit(bth.migrated()),
                Integer.toString(bth.padCount()),
                Integer.toString(bth.version()),
                Integer.toString(bth.pkey()),
                hex(6, bth.destinationQueuePair()),
                bit(bth.ackRequest()),
                Integer.toString(bth.packetSequenceNumber()),
                field(packet, Deth.class, header -> hex(16, header.qkey())),
                field(packet, Deth.class, header -> hex(6, header.sourceQueuePair())),
                field(packet, Reth.class, header -> hex(16, header.virtualAddress()))
                        + field(packet, AtomicEth.class, header -> hex(16, header.virtualAddress())),
                field(packet, Reth.class, header -> hex(8, header.remoteKey()))
                        + field(packet, AtomicEth.class, header -> hex(8, header.remoteKey())),
                field(packet, Reth.class, header -> Long.toString(header.dmaLength())),
                field(packet, AtomicEth.class, header -> Long.toUnsignedString(header.swapOrAdd())),
                field(packet, AtomicEth.class, header -> Long.toUnsignedString(header.compare())),
                field(packet, Aeth.class, header -> Integer.toString(header.syndrome())),
                field(packet, Aeth.class, header -> Integer.toString(header.messageSequenceNumber())),
                field(packet, AtomicAckEth.class, header -> Long.toUnsignedString(header.original())),
                field(packet, ImmDt.class, header -> hex(8, header.immediateData()).substring(2)),
                field(packet, Ieth.class, header -> hex(8, header.remoteKey()).substring(2)),
                hex(8, Integer.reverseBytes(packet.icrc())));
    }

    private static <T extends RoceHeader> String field(
            RoceV2Packet packet, Class<T> header, Function<T, String> text) {
        return packet.extension(header).map(text).orElse("");
    }

    private static String bit(boolean set) {
        return set ? "1" : "0";
    }

    private static String hex(int digits, long value) {
        return ("0x%0" + digits + "x").formatted(digits < 16 ? value & (1L << digits * 4) - 1 : value);
    }
}
