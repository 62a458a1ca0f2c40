// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import static io.verbs4j.types.WorkRequestOpcode.COMPARE_AND_SWAP;
import static io.verbs4j.types.WorkRequestOpcode.FETCH_AND_ADD;
import static io.verbs4j.types.WorkRequestOpcode.RDMA_READ;
import static io.verbs4j.types.WorkRequestOpcode.RDMA_WRITE;
import static io.verbs4j.types.WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE;
import static io.verbs4j.types.WorkRequestOpcode.SEND;
import static io.verbs4j.types.WorkRequestOpcode.SEND_WITH_IMMEDIATE;
import static io.verbs4j.types.WorkRequestOpcode.SEND_WITH_INVALIDATE;

import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.SendFlags;
import io.verbs4j.types.WorkRequestOpcode;

/// What a queue pair can be asked for. The device takes most of what it should not take only to end the queue pair.
///
/// @param type its transport
/// @param maxScatterGather elements of a work request
/// @param maxInlineData bytes of an inline payload
/// @param maxMessage bytes of a message
/// @param domain handle of its protection domain
record Limits(QueuePairType type, int maxScatterGather, int maxInlineData, long maxMessage, int domain) {
    static final int WITH_REMOTE = bit(RDMA_WRITE) | bit(RDMA_WRITE_WITH_IMMEDIATE) | bit(RDMA_READ);
    static final int WITH_DATA =
            bit(RDMA_WRITE_WITH_IMMEDIATE) | bit(SEND_WITH_IMMEDIATE) | bit(SEND_WITH_INVALIDATE);
    static final int INLINE = bit(RDMA_WRITE)
            | bit(RDMA_WRITE_WITH_IMMEDIATE)
            | bit(SEND)
            | bit(SEND_WITH_IMMEDIATE)
            | bit(SEND_WITH_INVALIDATE);
    static final int ATOMICS = bit(COMPARE_AND_SWAP) | bit(FETCH_AND_ADD);

    private static final byte[] WIRE = {0x08, 0x09, 0x0a, 0x0b, 0x10, 0x11, 0x12, 0x25, 0x25, 0x01};

    private static int bit(int opcode) {
        return 1 << opcode;
    }

    static boolean has(int set, int opcode) {
        return (opcode & ~31) == 0 && (set >>> opcode & 1) != 0;
    }

    /// The device's number for an operation (`mlx5_ib_opcode`).
    static int wire(int opcode) {
        return WIRE[opcode];
    }

    /// Sends, writes and reads that the transport has.
    int transfers() {
        return switch (type) {
            case RC -> INLINE | bit(RDMA_READ);
            case UC -> INLINE & ~bit(SEND_WITH_INVALIDATE);
            default -> 0;
        };
    }

    int datagrams() {
        return type == QueuePairType.UD ? bit(SEND) | bit(SEND_WITH_IMMEDIATE) : 0;
    }

    void check(int set, int opcode, int flags, long length, int elements) {
        if (!has(set, opcode) || (flags & ~SendFlags.CALLER_FLAGS) != 0 || length < 0 || length > maxMessage
                || elements > maxScatterGather) {
            throw refusal(set, opcode, flags, length, elements);
        }
    }

    void checkInline(int set, int opcode, int flags, long source, long offset, int length) {
        check(set & INLINE, opcode, flags, length, 0);
        if (length > maxInlineData) {
            throw illegal("length=" + length + " is not in 0.." + maxInlineData
                    + ", the queue pair's room for inline data");
        }
        if (offset < 0 || offset > source - length) {
            throw illegal("offset=" + offset + ", length=" + length + " leave the source of " + source + " bytes");
        }
    }

    void checkAtomic(int opcode, int flags, long remoteAddress) {
        check(type == QueuePairType.RC ? ATOMICS : 0, opcode, flags, Long.BYTES, 1);
        if ((remoteAddress & 7) != 0) {
            throw illegal("remoteAddress=0x" + Long.toHexString(remoteAddress) + " is not a multiple of 8");
        }
    }

    void checkKeyChange(int opcode, int flags) {
        check(type == QueuePairType.UD ? 0 : 1 << opcode, opcode, flags, 0, 0);
    }

    private RuntimeException refusal(int set, int opcode, int flags, long length, int elements) {
        if (!has(set, opcode)) {
            return illegal("opcode=" + WorkRequestOpcode.name(opcode) + " cannot be posted to a queue pair of type "
                    + type + " by this method");
        }
        if ((flags & ~SendFlags.CALLER_FLAGS) != 0) {
            return illegal("flags=0x" + Integer.toHexString(flags)
                    + " has bits other than FENCE, SIGNALED, SOLICITED and IP_CHECKSUM");
        }
        if (length < 0 || length > maxMessage) {
            return illegal("length=" + length + " is not in 0.." + maxMessage + ", the port's longest message");
        }
        return illegal("elements=" + elements + " exceeds maxScatterGather=" + maxScatterGather);
    }

    static IllegalArgumentException illegal(String message) {
        return new IllegalArgumentException(message);
    }
}
