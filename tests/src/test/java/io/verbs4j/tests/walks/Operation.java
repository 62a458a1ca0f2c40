// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import io.verbs4j.types.WorkRequestOpcode;

/// Describes what a send queue can be asked for.
enum Operation {
    SEND(WorkRequestOpcode.SEND, 0, true),
    SEND_WITH_IMMEDIATE(WorkRequestOpcode.SEND_WITH_IMMEDIATE, 0, true),
    SEND_WITH_INVALIDATE(WorkRequestOpcode.SEND_WITH_INVALIDATE, 0, true),
    RDMA_WRITE(WorkRequestOpcode.RDMA_WRITE, 1, true),
    RDMA_WRITE_WITH_IMMEDIATE(WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE, 1, true),
    RDMA_READ(WorkRequestOpcode.RDMA_READ, 2, false),
    COMPARE_AND_SWAP(WorkRequestOpcode.COMPARE_AND_SWAP, 3, false),
    FETCH_AND_ADD(WorkRequestOpcode.FETCH_AND_ADD, 4, false),
    BIND(WorkRequestOpcode.BIND_MEMORY_WINDOW, 5, false),
    LOCAL_INVALIDATE(WorkRequestOpcode.LOCAL_INVALIDATE, 6, false),
    ATOMIC_WRITE(WorkRequestOpcode.ATOMIC_WRITE, 9, false),
    FLUSH(WorkRequestOpcode.FLUSH, 8, false);

    /// The work request's opcode.
    final int opcode;

    /// The opcode of its completion.
    final int completion;

    /// True if it carries bytes of ours to the peer, which may be inline.
    final boolean carries;

    Operation(int opcode, int completion, boolean carries) {
        this.opcode = opcode;
        this.completion = completion;
        this.carries = carries;
    }

    boolean isSend() {
        return completion == 0;
    }

    boolean isWrite() {
        return completion == 1;
    }

    boolean isAtomic() {
        return this == COMPARE_AND_SWAP || this == FETCH_AND_ADD;
    }

    boolean hasImmediate() {
        return this == SEND_WITH_IMMEDIATE || this == RDMA_WRITE_WITH_IMMEDIATE;
    }

    /// Returns whether it writes into memory of ours: what was asked of the peer.
    boolean fetches() {
        return this == RDMA_READ || isAtomic();
    }

    /// Returns whether rxe has it since Linux 6.2 only, and spoils it when it sends it again.
    boolean isRecent() {
        return this == ATOMIC_WRITE || this == FLUSH;
    }

    /// Returns whether it is done without the peer.
    boolean isLocal() {
        return this == BIND || this == LOCAL_INVALIDATE;
    }
}
