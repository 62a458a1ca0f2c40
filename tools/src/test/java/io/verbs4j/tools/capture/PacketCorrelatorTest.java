// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.roce.Aeth;
import io.verbs4j.roce.Bth;
import io.verbs4j.roce.FrameLayers;
import io.verbs4j.roce.RoceFrame;
import io.verbs4j.roce.RoceOpcode;
import io.verbs4j.roce.RoceV2Packet;
import io.verbs4j.tracing.TraceEntry;
import io.verbs4j.tracing.TraceField;
import io.verbs4j.tracing.TracePart;
import io.verbs4j.tracing.TraceSubject;
import io.verbs4j.types.CompletionOpcode;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.Gid;
import io.verbs4j.types.QueuePairAttribute;
import io.verbs4j.types.WorkRequestOpcode;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Packets find their work requests by queue pair and sequence number, also if both ends have the same numbers.
class PacketCorrelatorTest {
    private static final int LAST_PSN = 0xffffff;
    private static final RoceOpcode FIRST = new RoceOpcode(0x00);
    private static final RoceOpcode LAST = new RoceOpcode(0x02);

    private final List<TraceEntry> entries = new ArrayList<>();

    private long entry(TraceSubject subject, String device, String verb, TracePart... parts) {
        long number = entries.size() + 1;
        entries.add(
                new TraceEntry(number, subject, number, 0, "main", device, verb, "", "", "", "", 0, "",
                        List.of(parts)));
        return number;
    }

    private long postedSends(String device, TraceSubject.Request... requests) {
        return entry(new TraceSubject.Posted(17, false, List.of(requests)), device, "post send");
    }

    private long postedReceive(String device, long id) {
        return entry(
                new TraceSubject.Posted(17, true, List.of(new TraceSubject.Request(id, -1, 4096))),
                device,
                "post receive");
    }

    private long completed(String device, long id, CompletionOpcode opcode) {
        var completion = new TraceSubject.Completion(id, 17, CompletionStatus.SUCCESS, opcode);
        return entry(new TraceSubject.Completed(List.of(completion)), device, "poll");
    }

    /// Queue pair 17 of a device, which sends from `psn` to queue pair 17 at `peer`.
    private void connect(String device, String peer, int psn) throws UnknownHostException {
        int mask = QueuePairAttribute.mask(
                QueuePairAttribute.SEND_PSN,
                QueuePairAttribute.PATH_MTU,
                QueuePairAttribute.ADDRESS_VECTOR,
                QueuePairAttribute.DESTINATION_QP);
        var modify = new TraceSubject.Command(
                Map.of("attr_mask", (long) mask, "dest_qp_num", 17L, "path_mtu", 3L, "sq_psn", (long) psn),
                Map.of("qp_handle", 17L), false);
        entry(modify, device, "modify queue pair", new TracePart(
                "request",
                "ib_uverbs_modify_qp",
                TracePart.Direction.TO_KERNEL,
                0,
                Gid.of(InetAddress.getByName(peer)).toBytes(),
                List.of(new TraceField("dest.dgid", 0, 16, 0, "", "", false))));
    }

    private static RoceFrame frame(String from, String to, RoceOpcode opcode, int psn) throws UnknownHostException {
        var builder = new RoceV2Packet.Builder()
                .bth(new Bth(opcode, false, true, 0, 0, 0xffff, false, false, 17, true, psn));
        if (opcode.equals(RoceOpcode.RC_ACKNOWLEDGE)) {
            builder.extensions(new Aeth(0x1f, 1));
        }
        var layers =
                new FrameLayers(2, List.of(), List.of(), InetAddress.getByName(from), InetAddress.getByName(to), 0, 64,
                        49_152);
        return new RoceFrame(1, 5_000, layers, builder.build(), 0);
    }

    private PacketCorrelator.Tie tie(String from, String to, RoceOpcode opcode, int psn) throws UnknownHostException {
        return new PacketCorrelator(entries).of(frame(from, to, opcode, psn));
    }

    @Test
    void aPeerOutsideTheTraceWithTheSameNumberIsNotTakenForOurs() throws UnknownHostException {
        connect("rxe0", "10.9.0.2", 7);
        postedReceive("rxe0", 5);
        long send = postedSends("rxe0", new TraceSubject.Request(9, WorkRequestOpcode.SEND, 15));

        PacketCorrelator.Tie out = tie("10.9.0.1", "10.9.0.2", new RoceOpcode(0x04), 7);
        assertThat(out.text()).isEqualTo("wr_id 9 of qp#17 on rxe0");
        assertThat(out.entries()).containsExactly(send);
        assertThat(tie("10.9.0.2", "10.9.0.1", new RoceOpcode(0x04), 99).text()).isEqualTo("for qp#17 on rxe0");
        assertThat(tie("10.9.0.1", "10.9.0.2", RoceOpcode.RC_ACKNOWLEDGE, 99).text()).isEqualTo("from qp#17 on rxe0");
    }

    @Test
    void requestsAndAnswersAreDistinguishedAlsoWhereNumbersComeRound() throws UnknownHostException {
        connect("rxe0", "10.9.0.2", LAST_PSN);
        connect("rxe1", "10.9.0.1", 7);
        long receive = postedReceive("rxe1", 5);
        long send = postedSends(
                "rxe0",
                new TraceSubject.Request(8, WorkRequestOpcode.LOCAL_INVALIDATE, 0),
                new TraceSubject.Request(9, WorkRequestOpcode.SEND, 1500));
        long other = postedSends("rxe1", new TraceSubject.Request(9, WorkRequestOpcode.RDMA_WRITE, 1));
        long received = completed("rxe1", 5, CompletionOpcode.RECEIVE);
        long sent = completed("rxe0", 9, CompletionOpcode.SEND);

        PacketCorrelator.Tie first = tie("10.9.0.1", "10.9.0.2", FIRST, LAST_PSN);
        assertThat(first.text()).isEqualTo("wr_id 9 of qp#17 on rxe0, packet 1 of 2, into wr_id 5 of qp#17 on rxe1");
        assertThat(first.entries()).containsExactly(receive, send);

        assertThat(tie("10.9.0.1", "10.9.0.2", LAST, 0).entries()).containsExactly(receive, send, received);
        PacketCorrelator.Tie answer = tie("10.9.0.2", "10.9.0.1", RoceOpcode.RC_ACKNOWLEDGE, 0);
        assertThat(answer.text()).isEqualTo("answers wr_id 9 of qp#17 on rxe0");
        assertThat(answer.entries()).containsExactly(send, sent);

        PacketCorrelator.Tie write = tie("10.9.0.2", "10.9.0.1", new RoceOpcode(0x0a), 7);
        assertThat(write.text()).isEqualTo("wr_id 9 of qp#17 on rxe1");
        assertThat(write.entries()).containsExactly(other);
    }

    @Test
    void strangersBelongToNothing() throws UnknownHostException {
        connect("rxe0", "10.9.0.2", 0);
        postedSends("rxe0", new TraceSubject.Request(1, WorkRequestOpcode.SEND, 4));
        assertThat(tie("10.9.0.1", "10.9.0.2", FIRST, 1).entries()).isEmpty();
        assertThat(tie("10.9.0.1", "10.9.0.3", FIRST, 0)).isEqualTo(PacketCorrelator.Tie.NONE);
    }

    @Test
    void packetsAreEntriesWithExplainedBytesAndTimesOfTheTrace() throws UnknownHostException {
        connect("rxe0", "10.9.0.2", 0);
        WireEntries.Tied tied =
                new WireEntries(Instant.ofEpochSecond(0, 1_000), "veth0", Set.of(InetAddress.getByName("10.9.0.1")))
                        .tie(entries, List.of(
                                frame("10.9.0.1", "10.9.0.2", FIRST, 0),
                                frame("10.9.0.2", "10.9.0.1", RoceOpcode.RC_ACKNOWLEDGE, 0)));
        assertThat(tied.packets()).extracting(TraceEntry::arguments)
                .satisfiesExactly(
                        out -> assertThat(out).startsWith("out 10.9.0.1 → 10.9.0.2 QPN 0x000011 PSN 0x000000 AckReq"),
                        in -> assertThat(in).startsWith("in 10.9.0.2 → 10.9.0.1"));
        assertThat(tied.packets()).allMatch(TraceEntry::isExplained).allMatch(packet -> packet.startNanos() == 4_000);
        assertThat(tied.ties().keySet()).containsExactlyInAnyOrder(2L, 3L);
    }
}
