// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.nio.ByteBuffer;

/// A kernel that only completes work requests. It takes elements from a send or receive ring and reports each in a
/// completion ring, with the fields that rxe copies.
final class FakeKernel {
    /// Bytes of a completion that the kernel writes: all of its `struct rxe_cqe`.
    private static final int CQE_BYTES = 72;

    private static final int WC_SEND = 0;
    private static final int WC_BIND_MEMORY_WINDOW = 5;
    private static final int WC_RDMA_WRITE = 1;
    private static final int WC_RECEIVE = 128;

    private final FakeRing work;
    private final FakeRing completions;
    private final boolean sends;
    private final int queuePairNumber;

    private FakeKernel(FakeRing work, FakeRing completions, boolean sends, int queuePairNumber) {
        this.work = work;
        this.completions = completions;
        this.sends = sends;
        this.queuePairNumber = queuePairNumber;
    }

    /// A requester.
    static FakeKernel sender(FakeRing sendRing, FakeRing completionRing, int queuePairNumber) {
        return new FakeKernel(sendRing, completionRing, true, queuePairNumber);
    }

    /// A responder.
    static FakeKernel receiver(FakeRing receiveRing, FakeRing completionRing, int queuePairNumber) {
        return new FakeKernel(receiveRing, completionRing, false, queuePairNumber);
    }

    /// Completes one work request, if one is waiting and there is room for its completion. The slot is released first,
    /// as in `do_complete` (rxe_comp.c).
    boolean step() {
        if (work.waiting() == 0 || completions.full()) {
            return false;
        }
        ByteBuffer wqe = ByteBuffer.wrap(work.take()).order(LITTLE_ENDIAN);
        // status and dma.length of a send WQE, dma.length of a receive WQE
        int status = sends ? wqe.getInt(144) : 0;
        int length = wqe.getInt(sends ? 184 : 16);
        int opcode = sends ? completed(wqe.getInt(12)) : WC_RECEIVE;
        completions.produce(completion(wqe.getLong(0), status, opcode, length, queuePairNumber));
        return true;
    }

    /// Returns the opcode of the completion of a sent work request, as `wr_to_wc_opcode` does (rxe_comp.c).
    private static int completed(int workRequestOpcode) {
        return switch (workRequestOpcode) {
            case 0, 1 -> WC_RDMA_WRITE;
            case 2, 3 -> WC_SEND;
            case 8 -> WC_BIND_MEMORY_WINDOW;
            default -> throw new AssertionError("this test posts no opcode " + workRequestOpcode);
        };
    }

    /// A completion without the rarer fields.
    static byte[] completion(long workRequestId, int status, int opcode, int length, int queuePairNumber) {
        return ByteBuffer.allocate(CQE_BYTES)
                .order(LITTLE_ENDIAN)
                .putLong(0, workRequestId)
                .putInt(8, status)
                .putInt(12, opcode)
                .putInt(20, length)
                .putInt(28, queuePairNumber)
                .array();
    }
}
