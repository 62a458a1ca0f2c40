// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.DriverAbi;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.device.EventFile;
import io.verbs4j.abi.failure.SystemOperation;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/// Forwards every call, and reports it to the trace. A command that cannot be decoded is forwarded unchanged and
/// reported as unknown.
final class TracingDeviceFile implements DeviceFile {
    private final DeviceFile file;
    private final Tracer tracer;
    private final ObjectTracker tracker;
    private final Writes writes;

    /// Decodes a command sent by `write()`.
    @FunctionalInterface
    interface Writes {
        DecodedCommand decode(ObjectNames names, DriverAbi driver, MemorySegment command);
    }

    TracingDeviceFile(DeviceFile file, Tracer tracer, Writes writes) {
        this.file = file;
        this.tracer = tracer;
        this.writes = writes;
        this.tracker = new ObjectTracker(tracer.names());
    }

    @Override
    public int ioctl(MemorySegment command) {
        return trace(
                command, () -> new IoctlDecoder(tracer.names(), tracer.driver(), command), file::ioctl);
    }

    @Override
    public int write(MemorySegment command) {
        return trace(
                command, () -> writes.decode(tracer.names(), tracer.driver(), command), file::write);
    }

    private int trace(MemorySegment command, Supplier<DecodedCommand> taker, ToIntFunction<MemorySegment> call) {
        DecodedCommand draft = null;
        TracedObject destroyed = null;
        String trouble = "";
        try {
            draft = taker.get();
            destroyed = tracker.destroyedBy(draft);
        } catch (RuntimeException e) {
            trouble = e.toString();
        }
        long start = tracer.now();
        int result = call.applyAsInt(command);
        long duration = tracer.now() - start;
        try {
            if (draft != null) {
                report(draft, destroyed, start, duration, result);
                return result;
            }
        } catch (RuntimeException e) {
            trouble = e.toString();
        }
        tracer.emit(
                TraceSubject.Command.UNKNOWN,
                start,
                duration,
                "?",
                "?",
                "?",
                command.byteSize() + " bytes",
                "",
                result,
                "the trace cannot decode the command: " + trouble,
                List.of());
        return result;
    }

    private void report(
            DecodedCommand draft, @Nullable TracedObject destroyed, long start, long duration, int result) {
        if (draft.isIdle(result)) {
            return;
        }
        draft.finish(result);
        CommandSpecification verb = draft.verb();
        String answered = result < 0 ? draft.answer(result) : "";
        String explanation = result < 0 && answered.isEmpty() ? explain(verb, draft, -result) : answered;
        TraceSubject subject = draft.subject(!answered.isEmpty()); // before destroyed objects are forgotten
        String made = result >= 0 && verb != null ? tracker.note(verb, draft, destroyed) : "";
        String answer = String.join(" ", draft.outcome);
        tracer.emit(
                subject,
                start,
                duration,
                verb == null ? "?" : verb.operation(),
                draft.command(),
                draft.transport(),
                String.join(" ", draft.arguments),
                made.isEmpty() ? answer : answer.isEmpty() ? made : made + " " + answer,
                result,
                explanation,
                draft.parts);
    }

    private String explain(@Nullable CommandSpecification verb, DecodedCommand draft, int errno) {
        if (verb == null) {
            return "";
        }
        String diagnosis = new Diagnosis(verb, errno, draft).find();
        return diagnosis.isEmpty() ? verb.explain(errno) : diagnosis;
    }

    @Override
    public MemorySegment map(long offset, long length) {
        String ring = tracer.names().ring(offset).orElse("not offered by the kernel");
        String arguments = "offset=0x" + Long.toHexString(offset) + " length=" + length + " (" + ring + ")";
        long start = tracer.now();
        try {
            MemorySegment mapping = file.map(offset, length);
            tracer.emit(
                    new TraceSubject.Mapping(offset, length),
                    start,
                    tracer.now() - start,
                    SystemOperation.MAP_RING.operation(),
                    "mmap",
                    "mmap",
                    arguments,
                    "at 0x" + Long.toHexString(mapping.address()),
                    0,
                    "",
                    List.of());
            return mapping;
        } catch (VerbsException e) {
            tracer.emit(
                    new TraceSubject.Mapping(offset, length),
                    start,
                    tracer.now() - start,
                    SystemOperation.MAP_RING.operation(),
                    "mmap",
                    "mmap",
                    arguments,
                    "",
                    -e.errno(),
                    Diagnosis.map(tracer.names(), offset, e.errno()),
                    List.of());
            throw e;
        }
    }

    @Override
    public void unmap(MemorySegment ring) {
        file.unmap(ring);
    }

    @Override
    public MemorySegment allocate(long bytes, Arena arena) {
        return file.allocate(bytes, arena);
    }

    @Override
    public void attachMemory(int region, MemorySegment memory) {
        file.attachMemory(region, memory);
    }

    @Override
    public EventFile eventFile(int fileDescriptor) {
        return new TracingEventFile(file.eventFile(fileDescriptor), tracer);
    }

    @Override
    public int fileDescriptor() {
        return file.fileDescriptor();
    }

    @Override
    public int await(long timeoutNanos) {
        return file.await(timeoutNanos);
    }

    @Override
    public void wake() {
        file.wake();
    }

    @Override
    public void close() {
        long start = tracer.now();
        file.close();
        tracer.emit(
                new TraceSubject.Closing(),
                start,
                tracer.now() - start,
                "close device",
                "close",
                "close",
                "",
                "",
                0,
                "",
                List.of());
    }

    @Override
    public String toString() {
        return "traced " + file;
    }
}
