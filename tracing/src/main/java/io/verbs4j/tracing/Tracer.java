// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import io.verbs4j.abi.command.DriverAbi;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.spi.RingSlot;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.function.Consumer;

/// Traces one open device: tracks its objects, and passes entries to the sink. Thread-safe.
final class Tracer {
    private final Trace trace;
    private final String device;
    private final DriverAbi driver;
    private final ObjectNames names;
    private final FieldText text;

    /// The part of a trace that all its devices share.
    ///
    /// @param output receives the entries
    /// @param dataPath whether rings are traced
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

    /// Returns the trace's name for a queue pair, completion queue or shared receive queue.
    String nameOf(UverbsObject kind, int handle) {
        return names.name(kind, handle);
    }

    /// Checks a local buffer of a work request against the registered regions.
    ///
    /// @param address first byte, by the region's iova
    /// @param length bytes
    /// @param lkey the key
    /// @param written whether the device writes to it
    /// @return the mistake; empty if none is known
    String checkBuffer(long address, long length, int lkey, boolean written) {
        return names.checkBuffer(address, length, lkey, written);
    }

    /// Starts the description of a part of memory.
    ///
    /// @param title its title
    /// @param direction its reader
    /// @param address its address
    /// @param bytes a copy of it
    PartBuilder part(String title, TracePart.Direction direction, long address, byte[] bytes) {
        return new PartBuilder(title, direction, address, bytes, text);
    }

    /// Describes a slot of a ring.
    ///
    /// @param title its title
    /// @param direction its reader
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
    /// @param verb the operation, such as `post send`
    /// @param ring the ring's name
    /// @param arguments the changes of the ring's indices
    /// @param outcome summary of the posted or completed work
    /// @param explanation the failure; empty if there is none
    /// @param parts the elements and related memory
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

    /// Returns the nanoseconds since the start of the trace.
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
