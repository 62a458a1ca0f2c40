// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.wire;

import io.verbs4j.roce.Aeth;
import io.verbs4j.roce.AtomicAckEth;
import io.verbs4j.roce.AtomicEth;
import io.verbs4j.roce.Bth;
import io.verbs4j.roce.DcConnectEth;
import io.verbs4j.roce.DcEth;
import io.verbs4j.roce.Deth;
import io.verbs4j.roce.Feth;
import io.verbs4j.roce.Ieth;
import io.verbs4j.roce.ImmDt;
import io.verbs4j.roce.Rdeth;
import io.verbs4j.roce.Reth;
import io.verbs4j.roce.RoceFrame;
import io.verbs4j.roce.RoceHeader;
import io.verbs4j.roce.RoceOpcode;
import io.verbs4j.roce.XrcEth;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;

/// A capture without values that vary between runs. Queue pairs and keys are numbered in the order of appearance.
/// Sequence numbers and addresses are relative to the first one. UDP ports, results of atomics, and packets repeated on
/// a busy machine are removed.
///
/// Requests and answers of both directions are separate, because the order of packets in different directions is
/// undefined.
final class Normalized {
    private static final List<String> STREAMS =
            List.of("requests to the right", "answers to the left", "requests to the left", "answers to the right");

    private final Map<String, Integer> numbers = new HashMap<>();
    private final Map<String, Long> origins = new HashMap<>();
    private final Map<String, List<String>> streams = new HashMap<>();

    private final boolean contents;

    private Normalized(boolean contents) {
        this.contents = contents;
    }

    /// Returns four lists of lines: requests of the left end and their answers, requests of the right end and their
    /// answers.
    ///
    /// @param contents whether to keep the payloads' contents, or only their lengths
    static List<List<String>> of(List<RoceFrame> capture, boolean contents) {
        var normalized = new Normalized(contents);
        var asked = new HashSet<String>();
        var seen = new HashSet<String>();
        for (RoceFrame frame : capture) {
            Bth bth = frame.packet().bth();
            int psn = bth.packetSequenceNumber();
            if (bth.ackRequest()) {
                asked.add(frame.source() + " " + psn);
            }
            // A repeated packet that nobody asks about is acknowledged by a number of its own.
            boolean expected = !bth.opcode().equals(RoceOpcode.RC_ACKNOWLEDGE)
                    || asked.contains(frame.destination() + " " + psn);
            if (expected && seen.add(frame.destination() + " " + bth.opcode() + " " + psn)) {
                normalized.add(frame);
            }
        }
        return STREAMS.stream().map(name -> normalized.streams.getOrDefault(name, List.of())).toList();
    }

    private void add(RoceFrame frame) {
        Bth bth = frame.packet().bth();
        boolean toTheRight = frame.destination().getHostAddress().equals("10.9.0.2");
        boolean answer = isAnswer(bth.opcode().value());
        // An answer has the sequence number of its request, which went the other way.
        String counted = "PSN of requests to the " + (toTheRight == answer ? "left" : "right");
        var line = new StringBuilder(bth.opcode().toString())
                .append(" to QP ")
                .append(number((toTheRight ? "right" : "left") + " QP", bth.destinationQueuePair()))
                .append(" PSN ")
                .append(distance(counted, bth.packetSequenceNumber()) & 0xff_ffff)
                .append(bth.ackRequest() ? " AckReq" : "")
                .append(bth.solicited() ? " solicited" : "")
                .append(bth.migrated() ? " migrated" : "")
                .append(" P_Key ")
                .append(bth.pkey())
                .append(" pad ")
                .append(bth.padCount());
        frame.packet().extensions().forEach(header -> line.append(' ').append(text(header, toTheRight)));
        line.append(' ').append(frame.packet().payloadLength()).append(" bytes");
        if (contents && frame.packet().payloadLength() > 0) {
            var sum = new CRC32();
            sum.update(frame.packet().payload());
            line.append(" of checksum ").append(Long.toHexString(sum.getValue()));
        }
        String stream = (answer ? "answers" : "requests") + " to the " + (toTheRight ? "right" : "left");
        streams.computeIfAbsent(stream, _ -> new ArrayList<>()).add(line.toString());
    }

    private static boolean isAnswer(int opcode) {
        return opcode >= Operation.READ_RESPONSE_FIRST && opcode <= Operation.ATOMIC_ACKNOWLEDGE;
    }

    private String text(RoceHeader header, boolean toTheRight) {
        String side = toTheRight ? "right" : "left";
        return switch (header) {
            case Bth bth -> throw new IllegalArgumentException(bth.toString());
            case Aeth aeth -> aeth.meaning() + " MSN " + aeth.messageSequenceNumber();
            case Deth deth ->
                "from QP " + number((toTheRight ? "left" : "right") + " QP", deth.sourceQueuePair()) + " Q_Key "
                        + deth.qkey();
            case Reth reth ->
                memory(side, reth.remoteKey(), reth.virtualAddress()) + " length " + reth.dmaLength();
            case AtomicEth atomic ->
                memory(side, atomic.remoteKey(), atomic.virtualAddress()) + " swap or add " + atomic.swapOrAdd();
            case AtomicAckEth _ -> "original";
            case ImmDt immediate -> "immediate " + immediate.immediateData();
            case Ieth invalidate -> "invalidates " + number(side + " key", invalidate.remoteKey());
            case Feth _,DcEth _,DcConnectEth _,Rdeth _,XrcEth _ -> header.toString();
        };
    }

    private String memory(String side, int key, long address) {
        return "key " + number(side + " key", key) + " offset " + distance(side + " address", address);
    }

    private int number(String kind, int value) {
        Integer known = numbers.get(kind + " " + value);
        if (known != null) {
            return known;
        }
        int next = 1 + (int) numbers.keySet().stream().filter(name -> name.startsWith(kind + " ")).count();
        numbers.put(kind + " " + value, next);
        return next;
    }

    private long distance(String kind, long value) {
        return value - origins.computeIfAbsent(kind, _ -> value);
    }
}
