// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

import io.verbs4j.abi.uapi.UverbsObject;
import java.util.List;

/// An event on a ring. The slots are copies, taken before the kernel changed them or got them back.
public sealed interface RingEvent {
    /// A batch of work requests that became visible to the device.
    ///
    /// @param owner [UverbsObject#QP] or [UverbsObject#SRQ]
    /// @param handle the owner's handle
    /// @param queuePair the queue pair's number; 0 for a shared receive queue
    /// @param receive whether it is a receive queue
    /// @param from producer index before the batch
    /// @param to producer index after the batch
    /// @param consumer consumer index after the batch
    record Posted(
            UverbsObject owner,
            int handle,
            int queuePair,
            boolean receive,
            int from,
            int to,
            int consumer,
            List<PostedRequest> requests)
            implements RingEvent {
        /// Copies the list.
        public Posted {
            requests = List.copyOf(requests);
        }
    }

    /// A batch of completions whose slots were returned to the device.
    ///
    /// @param handle the completion queue's handle
    /// @param from consumer index before the batch
    /// @param to consumer index after the batch
    /// @param producer producer index after the batch
    record Completed(int handle, int from, int to, int producer, List<CompletedRequest> completions)
            implements RingEvent {
        /// Copies the list.
        public Completed {
            completions = List.copyOf(completions);
        }
    }

    /// A work request in its slot.
    ///
    /// @param workRequestId the caller's identifier
    /// @param opcode the send's opcode ([io.verbs4j.types.WorkRequestOpcode]); -1 for a receive
    /// @param length bytes of the message, or of the receive's buffers
    /// @param buffers the local buffers that the slot holds
    /// @param elements number of buffers, from the request
    /// @param written whether the device writes to the buffers
    record PostedRequest(
            long workRequestId,
            int opcode,
            long length,
            List<Buffer> buffers,
            int elements,
            boolean written,
            RingSlot slot) {
        /// Copies the list.
        public PostedRequest {
            buffers = List.copyOf(buffers);
        }
    }

    /// A local buffer.
    ///
    /// @param address first byte, by the region's iova
    /// @param length bytes
    record Buffer(long address, long length, int lkey) {}

    /// A completion.
    ///
    /// @param queuePair its queue pair's number
    /// @param status [io.verbs4j.types.CompletionStatus]
    /// @param opcode [io.verbs4j.types.CompletionOpcode]; undefined if the completion failed
    /// @param length bytes
    record CompletedRequest(
            long workRequestId, int queuePair, int status, int opcode, long length, RingSlot slot) {}
}
