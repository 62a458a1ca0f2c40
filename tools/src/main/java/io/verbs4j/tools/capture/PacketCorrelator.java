// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.capture;

import io.verbs4j.roce.Bth;
import io.verbs4j.roce.Deth;
import io.verbs4j.roce.RoceFrame;
import io.verbs4j.tracing.TraceEntry;
import io.verbs4j.tracing.TraceField;
import io.verbs4j.tracing.TracePart;
import io.verbs4j.types.Gid;
import io.verbs4j.types.QueuePairAttribute;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Finds the work request of a packet, by queue pair and packet sequence number, and so the completions of both ends. Times
/// are of no use for that: those of a capture come from two clocks.
///
/// What a queue pair sends takes sequence numbers one after the other from the one that it was given on its way to RTS: a
/// message as many as it has packets (a read as many as its answer has), local operations none. So the trace alone shows
/// which numbers a work request has.
final class PacketCorrelator {
    private static final int SEQUENCE_NUMBERS = 1 << 24;
    private static final int SMALLEST_MTU = 128;
    private static final Pattern POSTED = Pattern.compile("wr_id (-?\\d+) (\\S+) (\\d+) bytes");
    private static final Pattern COMPLETED = Pattern.compile("wr_id (-?\\d+) on qp#(\\d+) (\\S+)");
    private static final Pattern RING = Pattern.compile("(send|receive) ring of qp#(\\d+)");

    private final Map<String, QueuePair> queuePairs = new LinkedHashMap<>();

    /// To what a packet belongs.
    ///
    /// @param entries numbers of the work requests' and completions' entries, ascending
    /// @param text the same for readers; empty if nothing is known of it
    /// @param notBefore when the work request was posted, in nanoseconds since the trace began: what a clock says that is not ours
    ///     cannot be true before
    record Tie(List<Long> entries, String text, long notBefore) {
        static final Tie NONE = new Tie(List.of(), "", Long.MIN_VALUE);
    }

    /// A work request: who posted it, and who took its completion.
    private static final class Work {
        final QueuePair owner;
        final long id;
        final long entry;
        final long time;
        final int firstPacket;
        final int packets;
        /// Which of the messages that take a receive; -1 of one that takes none.
        final int message;
        /// The completion's entry; 0 if there was none.
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

    /// A queue pair, as the trace shows it.
    private static final class QueuePair {
        final String device;
        final int number;
        final List<Work> sends = new ArrayList<>();
        final List<Work> receives = new ArrayList<>();
        int peer = -1;
        @Nullable Gid peerGid;
        /// Payload of a packet; a datagram has but one.
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

        void post(long id, String opcode, long length, TraceEntry entry) {
            int packets = (int) Math.max(1, Math.ceilDiv(length, mtu));
            switch (opcode) {
                case "LOCAL_INVALIDATE", "BIND_MEMORY_WINDOW" -> packets = 0;
                case "COMPARE_AND_SWAP", "FETCH_AND_ADD", "ATOMIC_WRITE", "FLUSH" -> packets = 1;
                default -> {}
            }
            boolean takesReceive = opcode.startsWith("SEND") || opcode.endsWith("WITH_IMMEDIATE");
            sends.add(new Work(this, id, entry, nextPacket, packets, takesReceive ? messages++ : -1));
            nextPacket = (nextPacket + packets) % SEQUENCE_NUMBERS;
        }

        /// The latest work request with that number: numbers come round again.
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
            switch (entry.kind()) {
                case COMMAND -> {
                    if (entry.verb().equals("modify queue pair") && entry.result() >= 0) {
                        modified(entry);
                    }
                }
                case POST -> posted(entry);
                case COMPLETION -> completed(entry);
                default -> {}
            }
        }
    }

    private QueuePair queuePair(String device, int number) {
        return queuePairs.computeIfAbsent(device + "#" + number, _ -> new QueuePair(device, number));
    }

    private void modified(TraceEntry entry) {
        var fields = new LinkedHashMap<String, TraceField>();
        for (TracePart part : entry.parts()) {
            part.fields().forEach(field -> fields.putIfAbsent(field.name(), field));
        }
        TraceField handle = fields.get("qp_handle");
        TraceField mask = fields.get("attr_mask");
        if (handle == null || mask == null || !handle.text().startsWith("qp#")) {
            return;
        }
        QueuePair queuePair = queuePair(entry.device(), Integer.parseInt(handle.text().substring("qp#".length())));
        for (QueuePairAttribute attribute : QueuePairAttribute.values()) {
            if ((mask.value() & attribute.bit()) == 0) {
                continue;
            }
            switch (attribute) {
                case SEND_PSN -> queuePair.nextPacket = value(fields, "sq_psn");
                case DESTINATION_QP -> queuePair.peer = value(fields, "dest_qp_num");
                case PATH_MTU -> queuePair.mtu = SMALLEST_MTU << value(fields, "path_mtu");
                case ADDRESS_VECTOR -> queuePair.peerGid = Gid.parse(field(fields, "dgid").text());
                default -> {}
            }
        }
    }

    private static int value(Map<String, TraceField> fields, String name) {
        return (int) field(fields, name).value();
    }

    private static TraceField field(Map<String, TraceField> fields, String name) {
        return Objects.requireNonNull(fields.get(name), name);
    }

    private void posted(TraceEntry entry) {
        Matcher ring = RING.matcher(entry.command());
        if (!ring.matches()) {
            return; // a shared receive queue: no packet sequence number says whose receive it was
        }
        QueuePair queuePair = queuePair(entry.device(), Integer.parseInt(ring.group(2)));
        for (Matcher work = POSTED.matcher(entry.outcome()); work.find();) {
            long id = Long.parseLong(work.group(1));
            if (ring.group(1).equals("send")) {
                queuePair.post(id, work.group(2), Long.parseLong(work.group(3)), entry);
            } else {
                queuePair.receives.add(new Work(queuePair, id, entry, 0, 0, -1));
            }
        }
    }

    private void completed(TraceEntry entry) {
        for (Matcher one = COMPLETED.matcher(entry.outcome()); one.find();) {
            long id = Long.parseLong(one.group(1));
            QueuePair queuePair = queuePair(entry.device(), Integer.parseInt(one.group(2)));
            boolean receive = one.group(3).startsWith("RECEIVE");
            for (Work work : receive ? queuePair.receives : queuePair.sends) {
                if (work.id == id && work.completion == 0) {
                    work.completion = entry.number();
                    break;
                }
            }
        }
    }

    /// To what a packet belongs.
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

    /// Returns what is known of a packet whose work request another program posted.
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

    /// The receive that a message fills, if the receiver is in the trace as well.
    private @Nullable Work receive(Work work, RoceFrame frame) {
        if (work.message < 0) {
            return null;
        }
        QueuePair from = work.owner;
        for (QueuePair to : queuePairs.values()) {
            // Ends on two devices may have the same numbers; then the addresses tell which is which.
            boolean isPeer = to.number == from.peer && to.peer == from.number && to.isPeerAt(frame.source());
            if (isPeer && (to != from || frame.source().equals(frame.destination()))) {
                return work.message < to.receives.size() ? to.receives.get(work.message) : null;
            }
        }
        return null;
    }
}
