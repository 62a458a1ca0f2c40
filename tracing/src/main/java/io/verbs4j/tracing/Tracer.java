// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import io.verbs4j.abi.command.DriverAbi;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.spi.RingSlot;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.function.Consumer;

/// Traces one open device: knows its objects, and gives entries to the sink. Safe for use by many threads.
final class Tracer {
    private final Trace trace;
    private final String device;
    private final DriverAbi driver;
    private final ObjectNames names;
    private final FieldText text;

    /// The part of a trace that all its devices share.
    ///
    /// @param output takes the entries
    /// @param dataPath whether rings are traced, too
    record Trace(TraceOutput output, boolean dataPath, long startNanos) {
        Trace(TraceSink sink, boolean dataPath, Consumer<RuntimeException> whenItFails) {
            this(new TraceOutput(sink, whenItFails), dataPath, System.nanoTime());
        }
    }

    Tracer(Trace trace, String device, DriverAbi driver) {
        this.trace = trace;
        this.device = device;
        this.driver = driver;
        this.names = new ObjectNames(device);
        this.text = new FieldText(names);
    }

    /// Returns whether work requests and completions are to be recorded.
    boolean tracesDataPath() {
        return trace.dataPath();
    }

    ObjectNames names() {
        return names;
    }

    DriverAbi driver() {
        return driver;
    }

    /// The name that the trace gives to a queue pair, completion queue or shared receive queue.
    String nameOf(UverbsObject kind, int handle) {
        return names.name(kind, handle);
    }

    /// Looks for a mistake in a local buffer of a work request, by the regions that the program has registered.
    ///
    /// @param address first byte, by the region's iova
    /// @param length bytes
    /// @param lkey the key
    /// @param written whether the device writes to it
    /// @return what is wrong; empty if nothing is known to be
    String checkBuffer(long address, long length, int lkey, boolean written) {
        return names.checkBuffer(address, length, lkey, written);
    }

    /// Starts the description of a piece of memory.
    ///
    /// @param title what it is
    /// @param direction who reads it
    /// @param address where it lies
    /// @param bytes a copy of it
    PartBuilder part(String title, TracePart.Direction direction, long address, byte[] bytes) {
        return new PartBuilder(title, direction, address, bytes, text);
    }

    /// Describes a slot of a ring.
    ///
    /// @param title what it is
    /// @param direction who reads it
    TracePart slot(String title, TracePart.Direction direction, RingSlot slot) {
        var builder = part(title + ", slot " + slot.index(), direction, slot.address(),
                slot.bytes().toArray(ValueLayout.JAVA_BYTE))
                .struct(slot.struct(), slot.arms());
        switch (slot.tail()) {
            case RingSlot.Tail.None _ -> {
            }
            case RingSlot.Tail.Data data -> builder.data(data.name(), data.length(), data.meaning());
            case RingSlot.Tail.Elements elements ->
                builder.array(elements.name(), elements.struct(), elements.count());
        }
        return builder.room(slot.rest()).build();
    }

    /// Reports work requests or completions.
    ///
    /// @param subject [TraceSubject.Posted] or [TraceSubject.Completed]
    /// @param verb what was done, such as `post send`
    /// @param ring the ring's name
    /// @param arguments what happened to the ring's indices
    /// @param outcome what was posted or completed, in short
    /// @param explanation what failed; empty if nothing did
    /// @param parts the elements, and what else belongs to them
    void ring(
            TraceSubject subject,
            String verb,
            String ring,
            String arguments,
            String outcome,
            String explanation,
            List<TracePart> parts) {
        emit(subject, now(), 0, verb, ring, "ring", arguments, outcome, 0, explanation, parts);
    }

    /// Nanoseconds since the trace began.
    long now() {
        return System.nanoTime() - trace.startNanos();
    }

    void emit(
            TraceSubject subject,
            long start,
            long duration,
            String verb,
            String command,
            String transport,
            String arguments,
            String outcome,
            long result,
            String explanation,
            List<TracePart> parts) {
        trace.output()
                .accept(number -> new TraceEntry(
                        number,
                        subject,
                        start,
                        duration,
                        threadName(),
                        device,
                        verb,
                        command,
                        transport,
                        arguments,
                        outcome,
                        result,
                        explanation,
                        parts));
    }

    private static String threadName() {
        Thread thread = Thread.currentThread();
        return thread.getName().isEmpty() ? "thread " + thread.threadId() : thread.getName();
    }
}
