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

import io.verbs4j.spi.ring.OpcodeSet;
import io.verbs4j.spi.ring.SendLimits;
import io.verbs4j.spi.ring.WorkRequestErrors;
import io.verbs4j.types.QueuePairType;

/// The opcodes of each transport, as sets with one bit per opcode.
///
/// The kernel's own table is `rxe_wr_opcode_info` (rxe_opcode.c). The kernel accepts a process's work request without
/// checking the opcode. With an opcode outside the table, the kernel reads beyond the end of the array
/// (`wr_opcode_mask`, rxe_loc.h). An opcode that the transport does not support moves the queue pair to ERR. The table
/// also contains operations that the requester does not support: send with invalidate on UC and UD, and read with
/// invalidate on RC. `next_opcode` (rxe_req.c) has no packet for them.
final class SendOpcodes {
    /// Operations with immediate data.
    static final int WITH_IMMEDIATE = OpcodeSet.of(RDMA_WRITE_WITH_IMMEDIATE, SEND_WITH_IMMEDIATE);

    /// Operations whose payload may be inline (`WR_INLINE_MASK`).
    static final int INLINE = OpcodeSet.of(
            RDMA_WRITE, RDMA_WRITE_WITH_IMMEDIATE, SEND, SEND_WITH_IMMEDIATE, SEND_WITH_INVALIDATE);

    /// Operations on 8 bytes with a result.
    static final int ATOMICS = OpcodeSet.of(COMPARE_AND_SWAP, FETCH_AND_ADD);

    private SendOpcodes() {}

    /// Returns the operations that may be posted to a queue pair.
    static SendLimits.Operations of(QueuePairType type) {
        return new SendLimits.Operations(
                transfers(type), datagrams(type), INLINE, atomics(type), PlainOperations.of(type),
                WorkRequestErrors::opcode);
    }

    private static int transfers(QueuePairType type) {
        int unreliable = OpcodeSet.of(RDMA_WRITE, RDMA_WRITE_WITH_IMMEDIATE, SEND, SEND_WITH_IMMEDIATE);
        return switch (type) {
            case RC -> unreliable | OpcodeSet.of(RDMA_READ, SEND_WITH_INVALIDATE);
            case UC -> unreliable;
            case UD, RAW_PACKET, XRC_INI, XRC_TGT -> 0;
        };
    }

    private static int datagrams(QueuePairType type) {
        return type == QueuePairType.UD ? OpcodeSet.of(SEND, SEND_WITH_IMMEDIATE) : 0;
    }

    private static int atomics(QueuePairType type) {
        return type == QueuePairType.RC ? ATOMICS : 0;
    }
}
