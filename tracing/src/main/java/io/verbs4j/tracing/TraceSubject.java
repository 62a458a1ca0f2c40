// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import io.verbs4j.types.CompletionOpcode;
import io.verbs4j.types.CompletionStatus;
import java.util.List;
import java.util.Map;

/// Describes the subject of a trace entry as data. The entry's texts are for humans; programs should use the subject.
public sealed interface TraceSubject {
    /// A command, by `ioctl` or `write`.
    ///
    /// @param given the numbers of the request, by the C names of fields
    /// @param objects the numbers of the objects in the request, such as 17 of `qp#17`, by the names of the handles'
    ///     fields
    /// @param question see [TraceEntry#isQuestion()]
    record Command(Map<String, Long> given, Map<String, Long> objects, boolean question) implements TraceSubject {
        /// A command that the trace cannot decode.
        static final Command UNKNOWN = new Command(Map.of(), Map.of(), false);

        /// Copies both maps.
        public Command {
            given = Map.copyOf(given);
            objects = Map.copyOf(objects);
        }
    }

    /// A ring was mapped.
    ///
    /// @param offset the offset reported by the kernel
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
    /// @param queuePair the queue pair's number; 0 for a shared receive queue
    /// @param receive whether they are receives
    record Posted(int queuePair, boolean receive, List<Request> requests) implements TraceSubject {
        /// Copies the list.
        public Posted {
            requests = List.copyOf(requests);
        }
    }

    /// A work request.
    ///
    /// @param opcode opcode of a send ([io.verbs4j.types.WorkRequestOpcode]); -1 for a receive
    /// @param length bytes of the message, or of the receive's buffers
    record Request(long workRequestId, int opcode, long length) {}

    /// Completions were polled.
    record Completed(List<Completion> completions) implements TraceSubject {
        /// Copies the list.
        public Completed {
            completions = List.copyOf(completions);
        }
    }

    /// A completion.
    ///
    /// @param queuePair the queue pair's number
    /// @param opcode valid only after success
    record Completion(
            long workRequestId, int queuePair, CompletionStatus status, CompletionOpcode opcode) {
        /// Returns whether this is the successful completion of a receive.
        public boolean isSuccessfulReceive() {
            return status.equals(CompletionStatus.SUCCESS) && opcode.isReceive();
        }
    }

    /// A packet crossed the wire; recorded by a capture, not by the tracer.
    record Packet() implements TraceSubject {}
}
