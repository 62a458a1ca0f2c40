// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import io.verbs4j.simulator.profile.Behaviour;
import io.verbs4j.types.CompletionOpcode;
import io.verbs4j.types.SendFlags;
import io.verbs4j.types.WorkRequestOpcode;

/// Removes finished requests from the send ring, and writes their completions.
final class SendCompletions {
    /// `IB_WC_WITH_IMM`.
    private static final int WITH_IMMEDIATE = 2;

    private final QueuePair owner;
    private final Ring ring;

    SendCompletions(QueuePair owner) {
        this.owner = owner;
        this.ring = owner.sends;
    }

    /// Completes the oldest request with the status in its element.
    void complete(long element) {
        int status = Memory.word(element + SendElement.STATUS);
        int flags = Memory.word(element + SendElement.FLAGS);
        int request = Memory.word(element + SendElement.OPCODE);
        boolean shown = owner.shape.signalAll() || (flags & SendFlags.SIGNALED) != 0 || status != Status.SUCCESS;
        long id = Memory.twoWords(element + SendElement.WR_ID);
        int length = Memory.word(element + SendElement.LENGTH);
        ring.advance();
        if (shown) {
            show(id, status, request, length);
        }
        count(request);
    }

    private void count(int request) {
        if (request == WorkRequestOpcode.SEND
                || request == WorkRequestOpcode.SEND_WITH_IMMEDIATE
                || request == WorkRequestOpcode.SEND_WITH_INVALIDATE) {
            owner.device.count(Counter.RDMA_SENDS);
        }
    }

    private boolean show(long id, int status, int request, int length) {
        CompletionQueue queue = owner.shape.sendQueue();
        long completion = queue.next();
        if (completion == 0) {
            return false;
        }
        Memory.twoWords(completion + CompletionQueue.WR_ID, id);
        Memory.word(completion + CompletionQueue.STATUS, status);
        Memory.word(completion + CompletionQueue.QUEUE_PAIR, owner.number);
        if (status == Status.SUCCESS) {
            Memory.word(completion + CompletionQueue.OPCODE, completed(request));
            Memory.word(completion + CompletionQueue.BYTES, length);
            boolean claims = request == WorkRequestOpcode.SEND_WITH_IMMEDIATE
                    || request == WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE;
            if (claims && owner.device.has(Behaviour.SENDS_CLAIM_IMMEDIATE_DATA)) {
                Memory.word(completion + CompletionQueue.FLAGS, WITH_IMMEDIATE);
            }
        }
        queue.publish(status != Status.SUCCESS && !owner.device.has(Behaviour.FAILURES_ARE_NOT_SOLICITED));
        return true;
    }

    /// Returns the completion opcode of a request.
    private static int completed(int request) {
        CompletionOpcode completed =
                switch (request) {
                    case WorkRequestOpcode.RDMA_WRITE, WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE ->
                        CompletionOpcode.RDMA_WRITE;
                    case WorkRequestOpcode.RDMA_READ -> CompletionOpcode.RDMA_READ;
                    case WorkRequestOpcode.COMPARE_AND_SWAP -> CompletionOpcode.COMPARE_AND_SWAP;
                    case WorkRequestOpcode.FETCH_AND_ADD -> CompletionOpcode.FETCH_AND_ADD;
                    case WorkRequestOpcode.BIND_MEMORY_WINDOW -> CompletionOpcode.BIND_MEMORY_WINDOW;
                    case WorkRequestOpcode.LOCAL_INVALIDATE -> CompletionOpcode.LOCAL_INVALIDATE;
                    case WorkRequestOpcode.FLUSH -> CompletionOpcode.FLUSH;
                    case WorkRequestOpcode.ATOMIC_WRITE -> CompletionOpcode.ATOMIC_WRITE;
                    default -> CompletionOpcode.SEND;
                };
        return completed.value();
    }

    /// Flushes the send ring.
    ///
    /// @param reports whether each request completes as flushed, while there is room
    void flush(boolean reports) {
        boolean showing = reports;
        while (!ring.isEmpty()) {
            long id = Memory.twoWords(ring.head() + SendElement.WR_ID);
            if (reports && owner.device.has(Behaviour.FLUSHED_SENDS_ARE_COUNTED)) {
                count(Memory.word(ring.head() + SendElement.OPCODE));
            }
            if (showing) {
                showing = show(id, Status.FLUSHED, 0, 0);
            }
            ring.advance();
        }
    }
}
