// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import java.util.List;

/// One traced event: a system call, or a write to or read from a ring.
///
/// @param number counts the entries of a trace, from 1
/// @param subject its subject, as data
/// @param startNanos start of the event, in nanoseconds since the start of the trace
/// @param durationNanos duration of the system call in nanoseconds; 0 if the event is not a system call
/// @param thread name of the thread
/// @param device name of the device
/// @param verb the operation in plain words, such as `create queue pair`
/// @param command the method's or command's name in C, `mmap`, or the name of a ring
/// @param transport its transport: `ioctl`, `ioctl (INVOKE_WRITE)`, `write`, `mmap`, `read`, `ring` …
/// @param arguments summary of the arguments
/// @param outcome summary of the result
/// @param result return value of the system call: zero or a count, or a negated errno
/// @param explanation the reason of a failure, if known, or the meaning of an expected refusal ([#isQuestion()]); empty
///     after success
/// @param parts the memory that the event read and wrote
public record TraceEntry(
        long number,
        TraceSubject subject,
        long startNanos,
        long durationNanos,
        String thread,
        String device,
        String verb,
        String command,
        String transport,
        String arguments,
        String outcome,
        long result,
        String explanation,
        List<TracePart> parts) {
    /// The kind of an entry.
    public enum Kind {
        /// A command, by `ioctl` or `write`.
        COMMAND,
        /// A ring was mapped.
        MAP,
        /// An event was read or waited for.
        EVENT,
        /// The device was closed.
        FILE,
        /// Work requests became visible to the device.
        POST,
        /// Completions were polled.
        COMPLETION,
        /// A packet crossed the wire; recorded by a capture, not by the tracer.
        WIRE
    }

    /// Copies the list.
    public TraceEntry {
        parts = List.copyOf(parts);
    }

    /// Returns the kind of the entry.
    public Kind kind() {
        return switch (subject) {
            case TraceSubject.Command _ -> Kind.COMMAND;
            case TraceSubject.Mapping _ -> Kind.MAP;
            case TraceSubject.Event _ -> Kind.EVENT;
            case TraceSubject.Closing _ -> Kind.FILE;
            case TraceSubject.Posted _ -> Kind.POST;
            case TraceSubject.Completed _ -> Kind.COMPLETION;
            case TraceSubject.Packet _ -> Kind.WIRE;
        };
    }

    /// Returns whether the kernel refused the command, and the refusal is an expected answer: the command only tests
    /// for a feature, or verbs4j continues with an older equivalent of the command. Such a command has not failed.
    public boolean isQuestion() {
        return subject instanceof TraceSubject.Command command && command.question();
    }

    /// Returns whether the event failed.
    public boolean failed() {
        return !isQuestion() && (result < 0 || !explanation.isEmpty());
    }

    /// Returns whether all bytes of the parts are explained.
    public boolean isExplained() {
        return parts.stream().allMatch(TracePart::isExplained);
    }
}
