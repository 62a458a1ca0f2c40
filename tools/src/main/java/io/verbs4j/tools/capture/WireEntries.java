// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.capture;

import io.verbs4j.abi.host.Host;
import io.verbs4j.roce.RoceFrame;
import io.verbs4j.tracing.TraceEntry;
import io.verbs4j.tracing.TraceSubject;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Packets as entries of a trace, with what they belong to.
public final class WireEntries {
    private final Instant start;
    private final String networkInterface;
    private final Set<InetAddress> own;

    /// @param startNanos when the trace began, in terms of [System#nanoTime()]
    /// @param networkInterface where the packets were captured
    public WireEntries(long startNanos, String networkInterface) {
        this(Instant.now().minusNanos(System.nanoTime() - startNanos), networkInterface,
                Host.current().addresses(networkInterface));
    }

    /// @param start the time of day when the trace began
    WireEntries(Instant start, String networkInterface, Set<InetAddress> own) {
        this.start = start;
        this.networkInterface = networkInterface;
        this.own = own;
    }

    /// Packets, and to which other entries each belongs.
    ///
    /// @param packets entries of [TraceEntry.Kind#WIRE], in the order of the wire
    /// @param ties numbers of the entries that a packet belongs to, by the packet's own number
    public record Tied(List<TraceEntry> packets, Map<Long, List<Long>> ties) {
        /// Copies both.
        public Tied {
            packets = List.copyOf(packets);
            ties = Map.copyOf(ties);
        }
    }

    /// Ties packets to what else a trace has seen.
    ///
    /// @param entries of the trace
    /// @param frames what was captured in that time
    public Tied tie(List<TraceEntry> entries, List<RoceFrame> frames) {
        var finder = new PacketCorrelator(entries);
        var packets = new ArrayList<TraceEntry>();
        var ties = new TreeMap<Long, List<Long>>();
        long number = entries.stream().mapToLong(TraceEntry::number).max().orElse(0);
        for (RoceFrame frame : frames) {
            number++;
            PacketCorrelator.Tie tie = finder.of(frame);
            packets.add(new TraceEntry(
                    number,
                    new TraceSubject.Packet(),
                    Math.max(sinceStart(frame), tie.notBefore()),
                    0,
                    "wire",
                    networkInterface,
                    "packet",
                    PacketParts.name(frame.packet()),
                    "wire",
                    (own.contains(frame.source()) ? "out " : "in ") + PacketParts.line(frame),
                    tie.text(),
                    0,
                    PacketParts.refusal(frame),
                    PacketParts.of(frame)));
            ties.put(number, tie.entries());
        }
        return new Tied(packets, ties);
    }

    /// A frame's time is nanoseconds of the time of day.
    private long sinceStart(RoceFrame frame) {
        return Duration.between(start, Instant.ofEpochSecond(0, frame.nanoseconds())).toNanos();
    }
}
