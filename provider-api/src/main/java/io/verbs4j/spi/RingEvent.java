// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

import io.verbs4j.abi.uapi.UverbsObject;
import java.util.List;

/// An event on a ring. The slots are copies that were made before the kernel could change them.
public sealed interface RingEvent {
    /// A batch of work requests that was published to the device.
    ///
    /// @param owner [UverbsObject#QP] or [UverbsObject#SRQ]
    /// @param handle the owner's handle
    /// @param queuePair the queue pair's number; 0 for a shared receive queue
    /// @param receive whether the ring is a receive ring
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
    /// @param buffers the local buffers that the slot contains
    /// @param elements number of buffers according to the request
    /// @param written whether the device writes to the buffers
    /// @param signaled whether the request has a completion even if it succeeds; true for a receive
    record PostedRequest(
            long workRequestId,
            int opcode,
            long length,
            List<Buffer> buffers,
            int elements,
            boolean written,
            boolean signaled,
            RingSlot slot) {
        /// Copies the list.
        public PostedRequest {
            buffers = List.copyOf(buffers);
        }
    }

    /// A local buffer.
    ///
    /// @param address address of the first byte, in the region's addresses ([ProviderContext#registerMemory])
    /// @param length bytes
    record Buffer(long address, long length, int lkey) {}

    /// A completion.
    ///
    /// @param queuePair number of the queue pair
    /// @param status [io.verbs4j.types.CompletionStatus]
    /// @param opcode [io.verbs4j.types.CompletionOpcode]; undefined if the completion failed
    /// @param length bytes
    record CompletedRequest(
            long workRequestId, int queuePair, int status, int opcode, long length, RingSlot slot) {}
}
