// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.capture;

import io.verbs4j.abi.queuepair.ModifyQueuePair;
import io.verbs4j.roce.Bth;
import io.verbs4j.roce.Deth;
import io.verbs4j.roce.RoceFrame;
import io.verbs4j.tracing.TraceEntry;
import io.verbs4j.tracing.TraceField;
import io.verbs4j.tracing.TracePart;
import io.verbs4j.tracing.TraceSubject;
import io.verbs4j.types.Gid;
import io.verbs4j.types.QueuePairAttribute;
import io.verbs4j.types.WorkRequestOpcode;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Finds the work request of a packet by queue pair and packet sequence number, and thereby the completions of both
/// ends. It does not compare times: in a capture, sent and received packets have times of different clocks.
///
/// The packets of a queue pair have consecutive sequence numbers, starting with the one set for RTS. A message takes as
/// many numbers as it has packets. A read takes as many as its response has packets, a local operation none. The trace
/// alone therefore determines the numbers of each work request.
final class PacketCorrelator {
    private static final int SEQUENCE_NUMBERS = 1 << 24;
    private static final int SMALLEST_MTU = 128;
    private static final int GID_BYTES = 16;
    private static final Set<Integer> LOCAL =
            Set.of(WorkRequestOpcode.LOCAL_INVALIDATE, WorkRequestOpcode.BIND_MEMORY_WINDOW);
    private static final Set<Integer> OF_ONE_PACKET = Set.of(
            WorkRequestOpcode.COMPARE_AND_SWAP,
            WorkRequestOpcode.FETCH_AND_ADD,
            WorkRequestOpcode.ATOMIC_WRITE,
            WorkRequestOpcode.FLUSH);
    private static final Set<Integer> TAKING_A_RECEIVE = Set.of(
            WorkRequestOpcode.SEND,
            WorkRequestOpcode.SEND_WITH_IMMEDIATE,
            WorkRequestOpcode.SEND_WITH_INVALIDATE,
            WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE);

    private final Map<String, QueuePair> queuePairs = new LinkedHashMap<>();

    /// The entries that a packet belongs to.
    ///
    /// @param entries numbers of the entries with the work requests and completions, ascending
    /// @param text description; empty if nothing is known
    /// @param notBefore when the work request was posted, in nanoseconds since the start of the trace. An earlier time
    ///     from another clock is wrong
    record Tie(List<Long> entries, String text, long notBefore) {
        static final Tie NONE = new Tie(List.of(), "", Long.MIN_VALUE);
    }

    /// A work request and its completion.
    private static final class Work {
        final QueuePair owner;
        final long id;
        final long entry;
        final long time;
        final int firstPacket;
        final int packets;
        /// Number of the message among those that consume a receive; -1 for others.
        final int message;
        /// The entry of the completion; 0 if there is none.
        long completion;

        Work(QueuePair owner, long id, TraceEntry entry, int firstPacket, int packets, int message) {
            this.owner = owner;
            this.id = id;
            this.entry = entry.number();
            this.time = entry.startNanos();
            this.firstPacket = firstPacket;
            this.packets = packets;
            this.message = message;
        }

        @Override
        public String toString() {
            return "wr_id " + id + " of " + owner;
        }
    }

    /// A queue pair, as recorded in the trace.
    private static final class QueuePair {
        final String device;
        final int number;
        final List<Work> sends = new ArrayList<>();
        final List<Work> receives = new ArrayList<>();
        int peer = -1;
        @Nullable Gid peerGid;
        /// Payload size of a packet. A datagram has a single packet.
        int mtu = Integer.MAX_VALUE;
        int nextPacket;
        int messages;

        QueuePair(String device, int number) {
            this.device = device;
            this.number = number;
        }

        @Override
        public String toString() {
            return "qp#" + number + " on " + device;
        }

        boolean isPeerAt(InetAddress address) {
            return peerGid != null && peerGid.toInetAddress().equals(address);
        }

        void post(TraceSubject.Request request, TraceEntry entry) {
            int opcode = request.opcode();
            int packets = LOCAL.contains(opcode) ? 0
                    : OF_ONE_PACKET.contains(opcode) ? 1 : (int) Math.max(1, Math.ceilDiv(request.length(), mtu));
            int message = TAKING_A_RECEIVE.contains(opcode) ? messages++ : -1;
            sends.add(new Work(this, request.workRequestId(), entry, nextPacket, packets, message));
            nextPacket = (nextPacket + packets) % SEQUENCE_NUMBERS;
        }

        /// Finds the latest work request with a packet of that number, because numbers wrap around.
        @Nullable
        Work withPacket(int sequenceNumber) {
            for (Work work : sends.reversed()) {
                if (Math.floorMod(sequenceNumber - work.firstPacket, SEQUENCE_NUMBERS) < work.packets) {
                    return work;
                }
            }
            return null;
        }
    }

    PacketCorrelator(List<TraceEntry> entries) {
        for (TraceEntry entry : entries) {
            switch (entry.subject()) {
                case TraceSubject.Command command -> {
                    if (entry.verb().equals(ModifyQueuePair.SPECIFICATION.operation()) && entry.result() >= 0) {
                        modified(command, entry);
                    }
                }
                case TraceSubject.Posted posted -> posted(posted, entry);
                case TraceSubject.Completed completed -> completed(completed, entry);
                default -> {}
            }
        }
    }

    private QueuePair queuePair(String device, int number) {
        return queuePairs.computeIfAbsent(device + "#" + number, _ -> new QueuePair(device, number));
    }

    private void modified(TraceSubject.Command command, TraceEntry entry) {
        Long number = command.objects().get("qp_handle");
        Long mask = command.given().get("attr_mask");
        if (number == null || mask == null) {
            return;
        }
        QueuePair queuePair = queuePair(entry.device(), number.intValue());
        for (QueuePairAttribute attribute : QueuePairAttribute.values()) {
            if ((mask & attribute.bit()) == 0) {
                continue;
            }
            switch (attribute) {
                case SEND_PSN -> queuePair.nextPacket = value(command, "sq_psn");
                case DESTINATION_QP -> queuePair.peer = value(command, "dest_qp_num");
                case PATH_MTU -> queuePair.mtu = SMALLEST_MTU << value(command, "path_mtu");
                case ADDRESS_VECTOR -> queuePair.peerGid = destination(entry);
                default -> {}
            }
        }
    }

    private static int value(TraceSubject.Command command, String field) {
        return Objects.requireNonNull(command.given().get(field), field).intValue();
    }

    private static @Nullable Gid destination(TraceEntry entry) {
        for (TracePart part : entry.parts()) {
            for (TraceField field : part.fields()) {
                if (field.name().equals("dgid")) {
                    return Gid.of(Arrays.copyOfRange(part.bytes(), field.offset(), field.offset() + GID_BYTES));
                }
            }
        }
        return null;
    }

    private void posted(TraceSubject.Posted posted, TraceEntry entry) {
        if (posted.queuePair() == 0) {
            return; // a shared receive queue: the sequence number does not determine the receive
        }
        QueuePair queuePair = queuePair(entry.device(), posted.queuePair());
        for (TraceSubject.Request request : posted.requests()) {
            if (posted.receive()) {
                queuePair.receives.add(new Work(queuePair, request.workRequestId(), entry, 0, 0, -1));
            } else {
                queuePair.post(request, entry);
            }
        }
    }

    private void completed(TraceSubject.Completed completed, TraceEntry entry) {
        for (TraceSubject.Completion one : completed.completions()) {
            QueuePair queuePair = queuePair(entry.device(), one.queuePair());
            for (Work work : one.isSuccessfulReceive() ? queuePair.receives : queuePair.sends) {
                if (work.id == one.workRequestId() && work.completion == 0) {
                    work.completion = entry.number();
                    break;
                }
            }
        }
    }

    /// Returns the entries that a packet belongs to.
    Tie of(RoceFrame frame) {
        Bth bth = frame.packet().bth();
        String opcode = bth.opcode().toString();
        boolean answer = opcode.contains("Acknowledge") || opcode.contains("Response");
        int datagramFrom = frame.packet().extension(Deth.class).map(Deth::sourceQueuePair).orElse(-1);
        for (QueuePair sender : queuePairs.values()) {
            boolean fits = datagramFrom >= 0
                    ? sender.number == datagramFrom
                    : answer
                            ? sender.number == bth.destinationQueuePair() && sender.isPeerAt(frame.source())
                            : sender.peer == bth.destinationQueuePair() && sender.isPeerAt(frame.destination());
            Work work = fits ? sender.withPacket(bth.packetSequenceNumber()) : null;
            if (work != null) {
                return answer ? answer(work) : request(work, frame);
            }
        }
        return known(frame);
    }

    /// Returns the known facts about a packet whose work request was posted by another program.
    private Tie known(RoceFrame frame) {
        int destination = frame.packet().bth().destinationQueuePair();
        for (QueuePair queuePair : queuePairs.values()) {
            if (queuePair.number == destination && queuePair.isPeerAt(frame.source())) {
                return new Tie(List.of(), "for " + queuePair, Long.MIN_VALUE);
            }
            if (queuePair.peer == destination && queuePair.isPeerAt(frame.destination())) {
                return new Tie(List.of(), "from " + queuePair, Long.MIN_VALUE);
            }
        }
        return Tie.NONE;
    }

    private static Tie answer(Work work) {
        var entries = new TreeSet<Long>(List.of(work.entry));
        if (work.completion != 0) {
            entries.add(work.completion);
        }
        return new Tie(List.copyOf(entries), "answers " + work, work.time);
    }

    private Tie request(Work work, RoceFrame frame) {
        var entries = new TreeSet<Long>(List.of(work.entry));
        int sequenceNumber = frame.packet().bth().packetSequenceNumber();
        int position = Math.floorMod(sequenceNumber - work.firstPacket, SEQUENCE_NUMBERS) + 1;
        String text = work + (work.packets > 1 ? ", packet " + position + " of " + work.packets : "");
        Work receive = receive(work, frame);
        if (receive != null) {
            entries.add(receive.entry);
            if (receive.completion != 0 && position == work.packets) {
                entries.add(receive.completion);
            }
            text += ", into " + receive;
        }
        return new Tie(List.copyOf(entries), text, work.time);
    }

    /// Returns the receive that a message fills; null if the receiver is not in the trace.
    private @Nullable Work receive(Work work, RoceFrame frame) {
        if (work.message < 0) {
            return null;
        }
        QueuePair from = work.owner;
        for (QueuePair to : queuePairs.values()) {
            // Two devices may use the same numbers. The addresses distinguish them.
            boolean isPeer = to.number == from.peer && to.peer == from.number && to.isPeerAt(frame.source());
            if (isPeer && (to != from || frame.source().equals(frame.destination()))) {
                return work.message < to.receives.size() ? to.receives.get(work.message) : null;
            }
        }
        return null;
    }
}
