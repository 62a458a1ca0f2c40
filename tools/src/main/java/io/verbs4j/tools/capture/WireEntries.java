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

/// Converts packets to entries of a trace, linked with the entries that they belong to.
public final class WireEntries {
    private final Instant start;
    private final String networkInterface;
    private final Set<InetAddress> own;

    /// @param startNanos start of the trace, in terms of [System#nanoTime()]
    /// @param networkInterface the captured interface
    public WireEntries(long startNanos, String networkInterface) {
        this(Instant.now().minusNanos(System.nanoTime() - startNanos), networkInterface,
                Host.current().addresses(networkInterface));
    }

    /// @param start the time of day at the start of the trace
    WireEntries(Instant start, String networkInterface, Set<InetAddress> own) {
        this.start = start;
        this.networkInterface = networkInterface;
        this.own = own;
    }

    /// Packets, and the other entries that they belong to.
    ///
    /// @param packets entries of [TraceEntry.Kind#WIRE], in the order of the wire
    /// @param ties numbers of the entries of each packet, by the packet's own number
    public record Tied(List<TraceEntry> packets, Map<Long, List<Long>> ties) {
        /// Copies both.
        public Tied {
            packets = List.copyOf(packets);
            ties = Map.copyOf(ties);
        }
    }

    /// Links packets with the other entries of a trace.
    ///
    /// @param entries entries of the trace
    /// @param frames the packets captured meanwhile
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

    /// Converts a frame's time of day, in nanoseconds, to the time since the start of the trace.
    private long sinceStart(RoceFrame frame) {
        return Duration.between(start, Instant.ofEpochSecond(0, frame.nanoseconds())).toNanos();
    }
}
