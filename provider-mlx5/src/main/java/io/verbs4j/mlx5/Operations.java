// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import static io.verbs4j.types.WorkRequestOpcode.ATOMIC_WRITE;
import static io.verbs4j.types.WorkRequestOpcode.COMPARE_AND_SWAP;
import static io.verbs4j.types.WorkRequestOpcode.FETCH_AND_ADD;
import static io.verbs4j.types.WorkRequestOpcode.FLUSH;
import static io.verbs4j.types.WorkRequestOpcode.RDMA_READ;
import static io.verbs4j.types.WorkRequestOpcode.RDMA_WRITE;
import static io.verbs4j.types.WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE;
import static io.verbs4j.types.WorkRequestOpcode.SEND;
import static io.verbs4j.types.WorkRequestOpcode.SEND_WITH_IMMEDIATE;
import static io.verbs4j.types.WorkRequestOpcode.SEND_WITH_INVALIDATE;

import io.verbs4j.spi.ring.OpcodeSet;
import io.verbs4j.spi.ring.SendLimits;
import io.verbs4j.spi.ring.WorkRequestErrors;
import io.verbs4j.types.Errno;
import io.verbs4j.types.NotSupportedException;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.SendFlags;
import io.verbs4j.types.WorkRequestOpcode;

/// The operations of queue pairs, and the device's numbers for them, except those of [KeyChanges]. The device accepts
/// most invalid requests, and then moves the queue pair to ERR.
final class Operations {
    /// Operations with remote memory.
    static final int WITH_REMOTE = OpcodeSet.of(RDMA_WRITE, RDMA_WRITE_WITH_IMMEDIATE, RDMA_READ);

    /// Operations with immediate data or a key to invalidate at the peer.
    static final int WITH_DATA = OpcodeSet.of(RDMA_WRITE_WITH_IMMEDIATE, SEND_WITH_IMMEDIATE, SEND_WITH_INVALIDATE);

    /// Operations with a result of 8 bytes.
    static final int ATOMICS = OpcodeSet.of(COMPARE_AND_SWAP, FETCH_AND_ADD);

    private static final int INLINE =
            OpcodeSet.of(RDMA_WRITE, RDMA_WRITE_WITH_IMMEDIATE, SEND, SEND_WITH_IMMEDIATE, SEND_WITH_INVALIDATE);
    /// Indexed by the operation; 0 for key changes.
    private static final byte[] WIRE = {0x08, 0x09, 0x0a, 0x0b, 0x10, 0x11, 0x12, 0, 0, 0x01};

    private Operations() {}

    /// Returns the device's number for an operation (`mlx5_ib_opcode`).
    static int wire(int opcode) {
        return WIRE[opcode];
    }

    /// Returns the limits of a send queue.
    static SendLimits limits(QueuePairType type, int maxScatterGather, int maxInlineData, long maxMessage) {
        return new SendLimits(
                Mlx5ProviderFactory.NAME,
                type,
                of(type),
                SendFlags.CALLER_FLAGS,
                maxScatterGather,
                maxScatterGather,
                maxInlineData,
                maxMessage);
    }

    private static SendLimits.Operations of(QueuePairType type) {
        int transfers = switch (type) {
            case RC -> INLINE | OpcodeSet.of(RDMA_READ);
            case UC -> INLINE & ~OpcodeSet.of(SEND_WITH_INVALIDATE);
            default -> 0;
        };
        boolean datagrams = type == QueuePairType.UD;
        return new SendLimits.Operations(
                transfers,
                datagrams ? OpcodeSet.of(SEND, SEND_WITH_IMMEDIATE) : 0,
                INLINE,
                type == QueuePairType.RC ? ATOMICS : 0,
                datagrams ? 0 : KeyChanges.OPERATIONS,
                Operations::refuse);
    }

    private static RuntimeException refuse(QueuePairType type, int opcode) {
        return opcode == ATOMIC_WRITE || opcode == FLUSH
                ? new NotSupportedException(
                        "post " + WorkRequestOpcode.name(opcode),
                        Errno.EOPNOTSUPP,
                        "mlx5 cards do not support the operation")
                : WorkRequestErrors.opcode(type, opcode);
    }
}
