// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static io.verbs4j.abi.os.RawMemory.ADDRESSES;
import static io.verbs4j.abi.os.RawMemory.ALL;
import static io.verbs4j.types.WorkRequestOpcode.ATOMIC_WRITE;
import static io.verbs4j.types.WorkRequestOpcode.BIND_MEMORY_WINDOW;
import static io.verbs4j.types.WorkRequestOpcode.FLUSH;
import static io.verbs4j.types.WorkRequestOpcode.LOCAL_INVALIDATE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.verbs4j.spi.SendRequest;
import io.verbs4j.spi.ring.OpcodeSet;
import io.verbs4j.spi.ring.WorkRequestErrors;
import io.verbs4j.types.DeviceAttributes;
import io.verbs4j.types.QueuePairType;

/// The operations without buffers. This class contains the transports and checks of each operation, its fields in the
/// send WQE, and its member of the WQE's union `wr.wr`.
final class PlainOperations {
    private PlainOperations() {}

    /// Returns the operations of a transport, a set of opcodes.
    static int of(QueuePairType type) {
        return switch (type) {
            case RC -> OpcodeSet.of(ATOMIC_WRITE, FLUSH, LOCAL_INVALIDATE, BIND_MEMORY_WINDOW);
            case UD -> 0;
            case UC, RAW_PACKET, XRC_INI, XRC_TGT -> OpcodeSet.of(BIND_MEMORY_WINDOW);
        };
    }

    /// Rejects a request that the kernel would accept unchecked, or that the device does not support.
    static void check(SendRequest request, int opcode, RxeSendLimits limits) {
        switch (opcode) {
            case ATOMIC_WRITE -> {
                if ((request.remoteAddress() & 7) != 0) {
                    throw WorkRequestErrors.unaligned(request.remoteAddress());
                }
                require(limits, DeviceAttributes.ATOMIC_WRITE, ATOMIC_WRITE);
            }
            case FLUSH -> {
                int type = request.flushType();
                int level = request.flushLevel();
                if (request.flushLength() < 0 || type < 1 || type > 3 || level < 0 || level > 1) {
                    throw WorkRequestErrors.flush(request.flushLength(), type, level);
                }
                if ((type & 1) != 0) {
                    require(limits, DeviceAttributes.FLUSH_GLOBAL, FLUSH);
                }
                if ((type & 2) != 0) {
                    require(limits, DeviceAttributes.FLUSH_PERSISTENT, FLUSH);
                }
            }
            case BIND_MEMORY_WINDOW -> {
                if ((request.immediateDataOrKey() ^ request.newKey()) >>> 8 != 0) {
                    throw WorkRequestErrors.windowKey(request.immediateDataOrKey(), request.newKey());
                }
            }
            default -> {
                // A local invalidation: the kernel checks the key.
            }
        }
    }

    /// Requires a capability that kernels have since Linux 6.2.
    private static void require(RxeSendLimits limits, long capability, int opcode) {
        if ((limits.deviceCapabilities() & capability) == 0) {
            throw WorkRequestErrors.notSupported(limits.common(), opcode, "6.2");
        }
    }

    /// Writes a checked request.
    ///
    /// @param slot address of the WQE
    static void write(long slot, SendRequest request, int opcode, int flags) {
        long at = slot & ADDRESSES;
        switch (opcode) {
            case ATOMIC_WRITE -> {
                SendWqeWriter.head(at, request, opcode, flags, request.remoteAddress(), Long.BYTES, 0);
                SendWqeWriter.rdma(at, request);
                ALL.set(JAVA_LONG, at + RxeSendWqe.PAYLOAD, request.operand());
            }
            case FLUSH -> {
                // A flush has no payload. The number of bytes to flush takes the place of the payload's length.
                SendWqeWriter.head(at, request, opcode, flags, request.remoteAddress(), request.flushLength(), 0);
                RxeSendWqe.FLUSH_REMOTE_ADDR.set(ALL, at, request.remoteAddress());
                RxeSendWqe.FLUSH_RKEY.set(ALL, at, request.remoteKey());
                RxeSendWqe.FLUSH_TYPE.set(ALL, at, (byte) request.flushType());
                RxeSendWqe.FLUSH_LEVEL.set(ALL, at, (byte) request.flushLevel());
            }
            case BIND_MEMORY_WINDOW -> {
                SendWqeWriter.head(at, request, opcode, flags, 0, 0, 0);
                RxeSendWqe.MW_ADDR.set(ALL, at, request.windowAddress());
                RxeSendWqe.MW_LENGTH.set(ALL, at, request.windowLength());
                RxeSendWqe.MW_MR_LKEY.set(ALL, at, request.regionKey());
                RxeSendWqe.MW_MW_RKEY.set(ALL, at, request.immediateDataOrKey());
                RxeSendWqe.MW_RKEY.set(ALL, at, request.newKey());
                RxeSendWqe.MW_ACCESS.set(ALL, at, request.windowAccess());
            }
            default -> SendWqeWriter.head(at, request, opcode, flags, 0, 0, 0); // a local invalidation
        }
    }

    /// Returns the member of the union `wr.wr` that [#write] fills, also for sends, writes and reads.
    static String member(int opcode) {
        return switch (opcode) {
            case BIND_MEMORY_WINDOW -> "mw";
            case FLUSH -> "flush";
            default -> "rdma";
        };
    }
}
