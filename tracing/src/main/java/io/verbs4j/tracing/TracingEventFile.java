// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import io.verbs4j.abi.device.EventFile;
import io.verbs4j.abi.failure.SystemOperation;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.IbUverbsAsyncEventDesc;
import io.verbs4j.abi.uapi.IbUverbsCompEventDesc;
import io.verbs4j.types.Errno;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Forwards waits and reads, and reports them to the trace. A wait without an event is not reported.
record TracingEventFile(EventFile file, Tracer tracer) implements EventFile {
    @Override
    public int fileDescriptor() {
        return file.fileDescriptor();
    }

    @Override
    public boolean isOfSystem() {
        return file.isOfSystem();
    }

    @Override
    public int await(long timeoutNanos) {
        long start = tracer.now();
        int result = file.await(timeoutNanos);
        if (result > 0) {
            String limit = timeoutNanos < 0 ? "no limit" : timeoutNanos + " ns";
            emit(start, "poll", "timeout=" + limit, "an event is available", result, List.of());
        }
        return result;
    }

    @Override
    public int read(MemorySegment record) {
        long start = tracer.now();
        int result = file.read(record);
        if (result > 0) {
            // The two kinds of event files have records of different sizes.
            CStruct struct = record.byteSize() >= IbUverbsAsyncEventDesc.STRUCT.size()
                    ? IbUverbsAsyncEventDesc.STRUCT
                    : IbUverbsCompEventDesc.STRUCT;
            byte[] bytes = record.asSlice(0, result).toArray(ValueLayout.JAVA_BYTE);
            TracePart part = tracer.part("event", TracePart.Direction.FROM_KERNEL, record.address(), bytes)
                    .struct(struct, Map.of())
                    .build();
            String shown = part.fields()
                    .stream()
                    .filter(field -> !field.padding())
                    .map(field -> field.path() + "=" + field.text())
                    .collect(Collectors.joining(" "));
            emit(start, "read", "", shown, result, List.of(part));
        } else if (result < 0 && result != -Errno.EAGAIN && result != -Errno.EBADF && result != -Errno.EINTR) {
            emit(start, "read", "", "", result, List.of());
        }
        return result;
    }

    private void emit(
            long start, String call, String arguments, String outcome, int result, List<TracePart> parts) {
        String where = tracer.names().file(fileDescriptor());
        tracer.emit(
                new TraceSubject.Event(fileDescriptor()),
                start,
                tracer.now() - start,
                SystemOperation.AWAIT_EVENT.operation(),
                call,
                call,
                arguments.isEmpty() ? where : where + " " + arguments,
                outcome,
                result,
                result < 0 ? SystemOperation.AWAIT_EVENT.explain(-result) : "",
                parts);
    }

    @Override
    public void wake() {
        file.wake();
    }

    @Override
    public void close() {
        file.close();
    }
}
