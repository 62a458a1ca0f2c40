// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static io.verbs4j.types.WorkRequestOpcode.COMPARE_AND_SWAP;
import static io.verbs4j.types.WorkRequestOpcode.FETCH_AND_ADD;
import static io.verbs4j.types.WorkRequestOpcode.RDMA_READ;
import static io.verbs4j.types.WorkRequestOpcode.RDMA_WRITE;
import static io.verbs4j.types.WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE;
import static io.verbs4j.types.WorkRequestOpcode.SEND;
import static io.verbs4j.types.WorkRequestOpcode.SEND_WITH_IMMEDIATE;
import static io.verbs4j.types.WorkRequestOpcode.SEND_WITH_INVALIDATE;

import io.verbs4j.types.QueuePairType;

/// Which opcode may go with which transport, as sets with one bit an opcode.
///
/// The kernel's own table is `rxe_wr_opcode_info` (rxe_opcode.c), but it is not asked before a work request of a
/// process is taken: an opcode outside it is read from beyond the array's end (`wr_opcode_mask`, rxe_opcode.h), and one
/// that the transport cannot do moves the queue pair to ERR. The table also promises more than the requester keeps: it
/// has send with invalidate on UC and UD and read with invalidate on RC, for which `next_opcode` (rxe_req.c) knows no
/// packet.
final class SendOpcodes {
    /// Operations with immediate data.
    static final int WITH_IMMEDIATE = bit(RDMA_WRITE_WITH_IMMEDIATE) | bit(SEND_WITH_IMMEDIATE);

    /// Operations whose payload may be inline: those that carry one (`WR_INLINE_MASK`).
    static final int INLINE = bit(RDMA_WRITE)
            | bit(RDMA_WRITE_WITH_IMMEDIATE)
            | bit(SEND)
            | bit(SEND_WITH_IMMEDIATE)
            | bit(SEND_WITH_INVALIDATE);

    /// Operations on 8 bytes with a result.
    static final int ATOMICS = bit(COMPARE_AND_SWAP) | bit(FETCH_AND_ADD);

    /// Operations that name buffers of their own, of any length.
    static final int BUFFERS = INLINE | bit(RDMA_READ);

    private SendOpcodes() {}

    /// Sends, writes and reads of a connected queue pair.
    static int transfers(QueuePairType type) {
        int unreliable = bit(RDMA_WRITE) | bit(RDMA_WRITE_WITH_IMMEDIATE) | bit(SEND) | bit(SEND_WITH_IMMEDIATE);
        return switch (type) {
            case RC -> unreliable | bit(RDMA_READ) | bit(SEND_WITH_INVALIDATE);
            case UC -> unreliable;
            case UD, RAW_PACKET, XRC_INI, XRC_TGT -> 0;
        };
    }

    /// Sends of a datagram queue pair.
    static int datagrams(QueuePairType type) {
        return type == QueuePairType.UD ? bit(SEND) | bit(SEND_WITH_IMMEDIATE) : 0;
    }

    /// Atomics with a result.
    static int atomics(QueuePairType type) {
        return type == QueuePairType.RC ? ATOMICS : 0;
    }

    /// Whether a set has an opcode; false for whatever is no opcode at all.
    static boolean has(int set, int opcode) {
        return (opcode & ~31) == 0 && (set >>> opcode & 1) != 0;
    }

    private static int bit(int opcode) {
        return 1 << opcode;
    }
}
