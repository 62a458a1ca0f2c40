// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.packets;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.roce.CapturedFrame;
import io.verbs4j.roce.FrameDecoder;
import io.verbs4j.roce.PcapReader;
import io.verbs4j.roce.RoceFrame;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Reads a capture of the C programs of rdma-core 44 and perftest 4.5 between two rxe devices of Linux 6.12, made in
/// the lab with `tcpdump -i veth0`: `ibv_rc_pingpong -s 128 -n 3` and `-s 2501 -n 1`, `ibv_uc_pingpong -s 1500`,
/// `ibv_ud_pingpong -s 64`, the first exchange of `ib_write_bw`, `ib_read_bw` and `ib_atomic_bw` (twice), and
/// `ibv_rc_pingpong -g 0` over IPv6.
class CaptureTest {
    private final List<RoceFrame> frames = new ArrayList<>();

    CaptureTest() throws IOException {
        try (var reader = new PcapReader(CaptureTest.class.getResourceAsStream("c-programs.pcap"), "c-programs.pcap")) {
            for (CapturedFrame frame = reader.next(); frame != null; frame = reader.next()) {
                frames.add((RoceFrame) FrameDecoder.decode(frame));
            }
        }
    }

    @Test
    void everyPacketIsRead() {
        assertThat(frames).hasSize(40);
        assertThat(frames).allSatisfy(frame -> assertThat(frame.packet().bth().opcode().known()).isTrue());
    }

    @Test
    void everyInvariantCrcIsWhatWeCompute() {
        assertThat(frames).allSatisfy(frame -> assertThat(frame.packet().icrc()).isEqualTo(frame.expectedIcrc()));
        assertThat(frames).allMatch(RoceFrame::isIntact);
    }

    @Test
    void rebuiltPacketsAreTheSameBytes() {
        assertThat(frames)
                .allSatisfy(frame -> assertThat(frame.packet().toBuilder().build().bytes())
                        .isEqualTo(frame.packet().bytes()));
    }

    @Test
    void pingPongIsSendsAndAcknowledgementsWithTheSamePsn() {
        assertThat(lines().subList(0, 4))
                .containsExactly(
                        "10.9.0.1 → 10.9.0.2  RC Send Only             QPN 0x000011  PSN 0xc3c5a4  AckReq  128 bytes",
                        "10.9.0.2 → 10.9.0.1  RC Acknowledge           QPN 0x000011  PSN 0xc3c5a4  ACK  MSN 1",
                        "10.9.0.2 → 10.9.0.1  RC Send Only             QPN 0x000011  PSN 0xfdfa95  AckReq  128 bytes",
                        "10.9.0.1 → 10.9.0.2  RC Acknowledge           QPN 0x000011  PSN 0xfdfa95  ACK  MSN 1");
    }

    @Test
    void longMessageIsCutIntoFirstMiddleAndLast() {
        assertThat(lines().subList(12, 15))
                .containsExactly(
                        "10.9.0.1 → 10.9.0.2  RC Send First            QPN 0x000012  PSN 0xaf7c0c  1024 bytes",
                        "10.9.0.1 → 10.9.0.2  RC Send Middle           QPN 0x000012  PSN 0xaf7c0d  1024 bytes",
                        "10.9.0.1 → 10.9.0.2  RC Send Last             QPN 0x000012  PSN 0xaf7c0e  AckReq  453 bytes");
    }

    @Test
    void extensionHeadersAreShown() {
        assertThat(lines())
                .contains(
                        "10.9.0.1 → 10.9.0.2  UD Send Only             QPN 0x000014  PSN 0x3cfaf5"
                                + "  from QPN 0x000014  Q_Key 0x11111111  64 bytes",
                        "10.9.0.1 → 10.9.0.2  RC RDMA Write First      QPN 0x000015  PSN 0x9afc48"
                                + "  address 0x55c49b026000  rkey 0x00000663  length 1500  1024 bytes",
                        "10.9.0.2 → 10.9.0.1  RC RDMA Read Response Last QPN 0x000016  PSN 0x13cab8"
                                + "  ACK  MSN 1  476 bytes",
                        "10.9.0.1 → 10.9.0.2  RC Fetch and Add         QPN 0x000017  PSN 0xe7c976  AckReq"
                                + "  address 0x5634a2125000  rkey 0x000008bb  swap/add 0x1  compare 0x0",
                        "10.9.0.2 → 10.9.0.1  RC Atomic Acknowledge    QPN 0x000017  PSN 0xe7c976"
                                + "  ACK  MSN 1  original 0xaa3e1f02f615b676");
    }

    @Test
    void ipv6IsReadToo() {
        assertThat(lines().get(36))
                .isEqualTo("fe80::78c7:52ff:fe7a:ded → fe80::4ce2:acff:fe26:4b4b  RC Send Only             "
                        + "QPN 0x000019  PSN 0x84fdf8  AckReq  64 bytes");
    }

    @Test
    void verboseLineShowsTheRest() {
        assertThat(PacketLine.format(frames.getFirst(), 1_500_000, PacketLine.Detail.FULL))
                .isEqualTo(
                        "   0.001500  10.9.0.1 → 10.9.0.2  RC Send Only             QPN 0x000011  PSN 0xc3c5a4  AckReq"
                                + "  128 bytes  [frame 1  DSCP 0  ECN 0  TTL 64  UDP port 49441  P_Key 0xffff  pad 0"
                                + "  ICRC 0x47c973e0 ok]");
    }

    private List<String> lines() {
        return frames.stream()
                .map(frame -> PacketLine.format(frame, 0, PacketLine.Detail.SHORT).substring(13))
                .toList();
    }
}
