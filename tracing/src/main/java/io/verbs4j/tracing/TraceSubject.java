// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import io.verbs4j.types.CompletionOpcode;
import io.verbs4j.types.CompletionStatus;
import java.util.List;
import java.util.Map;

/// Describes what an entry of a trace is about, as data. An entry's texts are for readers; programs look here.
public sealed interface TraceSubject {
    /// A command, by `ioctl` or `write`.
    ///
    /// @param given the numbers of the request, by the C names of fields
    /// @param objects the numbers in the names of the objects that the request names by their handles, such as 17 of `qp#17`, by the
    ///     handles' fields
    /// @param question whether the library asked by it what the kernel has: a refusal is an answer then, and no failure
    record Command(Map<String, Long> given, Map<String, Long> objects, boolean question) implements TraceSubject {
        /// One of which the trace understands nothing.
        static final Command UNKNOWN = new Command(Map.of(), Map.of(), false);

        /// Copies both.
        public Command {
            given = Map.copyOf(given);
            objects = Map.copyOf(objects);
        }
    }

    /// A ring was mapped.
    ///
    /// @param offset the one that the kernel offered
    /// @param length bytes
    record Mapping(long offset, long length) implements TraceSubject {}

    /// An event was read or waited for.
    ///
    /// @param fileDescriptor of the event file
    record Event(int fileDescriptor) implements TraceSubject {}

    /// The device was closed.
    record Closing() implements TraceSubject {}

    /// Work requests became visible to the device.
    ///
    /// @param queuePair the queue pair's number; 0 of a shared receive queue
    /// @param receive whether they are receives
    record Posted(int queuePair, boolean receive, List<Request> requests) implements TraceSubject {
        /// Copies the list.
        public Posted {
            requests = List.copyOf(requests);
        }
    }

    /// A work request.
    ///
    /// @param opcode that of a send ([io.verbs4j.types.WorkRequestOpcode]); -1 of a receive
    /// @param length bytes of the message, or of the receive's buffers
    record Request(long workRequestId, int opcode, long length) {}

    /// Completions were taken.
    record Completed(List<Completion> completions) implements TraceSubject {
        /// Copies the list.
        public Completed {
            completions = List.copyOf(completions);
        }
    }

    /// A completion.
    ///
    /// @param queuePair the queue pair's number
    /// @param opcode means nothing unless it succeeded
    record Completion(
            long workRequestId, int queuePair, CompletionStatus status, CompletionOpcode opcode) {
        /// Returns whether it is that of a receive, which a failed one does not say.
        public boolean isSuccessfulReceive() {
            return status.equals(CompletionStatus.SUCCESS) && opcode.isReceive();
        }
    }

    /// A packet crossed the wire. No tracer sees it: a capture beside it does.
    record Packet() implements TraceSubject {}
}
