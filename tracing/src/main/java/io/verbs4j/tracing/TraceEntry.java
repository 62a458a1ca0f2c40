// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import java.util.List;

/// One thing that happened: a system call, or something written to or read from a ring.
///
/// @param number counts the entries of a trace, from 1
/// @param subject what it is about, as data
/// @param startNanos when it began, in nanoseconds since the trace began
/// @param durationNanos how long it took, in nanoseconds; 0 of what is no system call
/// @param thread name of the thread
/// @param device name of the device
/// @param verb what was asked for, for readers, such as `create queue pair`
/// @param command the method's or command's name in C, `mmap`, or the name of a ring
/// @param transport how it travelled: `ioctl`, `ioctl (INVOKE_WRITE)`, `write`, `mmap`, `read`, `ring` …
/// @param arguments what was given, in short
/// @param outcome what came back, in short
/// @param result what the system call returned: zero or a count, or a negated error number
/// @param explanation the reason why it failed, as far as it is known, or what the answer to a question means; empty
///     after success
/// @param parts the memory that it read and wrote
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
    /// The subject of an entry.
    public enum Kind {
        /// A command, by `ioctl` or `write`.
        COMMAND,
        /// A ring was mapped.
        MAP,
        /// An event was read or waited for.
        EVENT,
        /// The device was opened or closed.
        FILE,
        /// Work requests became visible to the device.
        POST,
        /// Completions were taken.
        COMPLETION,
        /// A packet crossed the wire. No tracer sees it: a capture beside it does.
        WIRE
    }

    /// Copies the list.
    public TraceEntry {
        parts = List.copyOf(parts);
    }

    /// Returns what it is.
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

    /// Returns whether the library only asked by it what the kernel has, and its refusal is the answer.
    public boolean isQuestion() {
        return subject instanceof TraceSubject.Command command && command.question();
    }

    /// Returns whether it failed.
    public boolean failed() {
        return !isQuestion() && (result < 0 || !explanation.isEmpty());
    }

    /// Returns whether each byte of it is explained.
    public boolean isExplained() {
        return parts.stream().allMatch(TracePart::isExplained);
    }
}
