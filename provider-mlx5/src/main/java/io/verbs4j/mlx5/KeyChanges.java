// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import static io.verbs4j.abi.os.RawMemory.ADDRESSES;
import static io.verbs4j.abi.os.RawMemory.ALL;
import static io.verbs4j.types.WorkRequestOpcode.BIND_MEMORY_WINDOW;
import static io.verbs4j.types.WorkRequestOpcode.LOCAL_INVALIDATE;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.verbs4j.spi.SendRequest;
import io.verbs4j.spi.ring.OpcodeSet;
import io.verbs4j.types.Access;
import io.verbs4j.types.CompletionOpcode;
import io.verbs4j.types.PostResult;

/// Work requests that change a memory key (UMR): binding and unbinding a window, invalidating. Each has three blocks: a
/// control segment, the changed fields, the key's new context, and the memory after it.
record KeyChanges(SendBlocks blocks, NumberTable<Mlx5MemoryWindow> windows) {
    /// The operations, a set of opcodes. All have the same number at the device, `MLX5_OPCODE_UMR`.
    static final int OPERATIONS = OpcodeSet.of(LOCAL_INVALIDATE, BIND_MEMORY_WINDOW);

    private static final int UMR = 0x25;
    private static final int CONTROL_BYTES = 64;
    private static final int CONTEXT_BYTES = 64;
    /// Segments without memory, and of the memory.
    private static final int PLAIN = 8;

    private static final int MEMORY = 4;
    private static final int ZERO_BASED = 1 << 5;
    private static final long MAX_LENGTH = 1L << 31;
    private static final int NO_QUEUE_PAIR = 0xffffff00;

    /// `MLX5_WQE_UMR_CTRL_FLAG_*`.
    private static final int INLINE = 1 << 7;

    private static final int CHECK_FREE = 1 << 5;
    private static final int TRANSLATION_OFFSET = 1 << 4;
    private static final int CHECK_QUEUE_PAIR = 1 << 3;

    /// `MLX5_WQE_UMR_CTRL_MKEY_MASK_*`.
    private static final long MASK_KEY = 1L << 13 | 1L << 29;

    private static final long MASK_QUEUE_PAIR = 1L << 14;
    private static final long MASK_RANGE = 1L | 1L << 6 | 1L << 18 | 1L << 19 | 1L << 20 | 1L << 21;

    /// `MLX5_WQE_MKEY_CONTEXT_FREE`.
    private static final byte FREE = 1 << 6;

    private static final long RIGHTS = Segments.KEY_CONTEXT.offset("access_flags");
    private static final long KEY = Segments.KEY_CONTEXT.offset("qpn_mkey");
    private static final long START = Segments.KEY_CONTEXT.offset("start_addr");
    private static final long LENGTH = Segments.KEY_CONTEXT.offset("len");

    /// Posts one of the operations.
    int post(SendRequest request) {
        return request.opcode() == LOCAL_INVALIDATE ? invalidate(request) : bind(request);
    }

    private int invalidate(SendRequest request) {
        long at = blocks.claim();
        if (at == SendBlocks.FULL) {
            return PostResult.QUEUE_FULL;
        }
        change(at, true, 0, 0, 0, 0, 0);
        return blocks.posted(
                at,
                UMR,
                PLAIN,
                request.flags(),
                request.immediateDataOrKey(),
                request.workRequestId(),
                CompletionOpcode.LOCAL_INVALIDATE.value());
    }

    private int bind(SendRequest request) {
        int currentKey = request.immediateDataOrKey();
        long length = request.windowLength();
        Mlx5MemoryWindow window = windows.get(currentKey >>> 8);
        if (window == null) {
            throw new IllegalArgumentException("currentKey=0x" + Integer.toHexString(currentKey)
                    + " is not the key of a memory window of this context");
        }
        if (length < 0 || length > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "length=" + length + " is not in 0.." + MAX_LENGTH + ", the longest range of a window");
        }
        long at = blocks.claim();
        if (at == SendBlocks.FULL) {
            return PostResult.QUEUE_FULL;
        }
        change(
                at,
                window.type() == 2,
                request.newKey(),
                request.regionKey(),
                request.windowAddress(),
                length,
                request.windowAccess());
        return blocks.posted(
                at,
                UMR,
                length == 0 ? PLAIN : PLAIN + MEMORY,
                request.flags(),
                currentKey,
                request.workRequestId(),
                CompletionOpcode.BIND_MEMORY_WINDOW.value());
    }

    private void change(
            long at, boolean ofQueuePair, int newKey, int regionKey, long address, long length, int accessFlags) {
        boolean range = length != 0;
        long base = at & ADDRESSES;
        long marks = INLINE | TRANSLATION_OFFSET
                | (ofQueuePair ? range ? CHECK_FREE : CHECK_QUEUE_PAIR : 0);
        long octowords = range ? 4 : 0;
        Segments.LONG.set(ALL, base + 16, marks << 56 | octowords << 16);
        Segments.LONG.set(
                ALL, base + 24, MASK_KEY | (ofQueuePair ? MASK_QUEUE_PAIR : 0) | (range ? MASK_RANGE : 0));
        for (int offset = 32; offset < CONTROL_BYTES; offset += Long.BYTES) {
            Segments.LONG.set(ALL, base + offset, 0L);
        }
        long context = blocks.wrap(at + CONTROL_BYTES);
        context(context & ADDRESSES, ofQueuePair, newKey, address, length, accessFlags);
        if (range) {
            long memory = blocks.wrap(context + CONTEXT_BYTES);
            Mlx5SendQueue.element(memory, address, (int) length, regionKey);
            for (int offset = Segments.UNIT; offset < Segments.BLOCK; offset += Long.BYTES) {
                Segments.LONG.set(ALL, (memory & ADDRESSES) + offset, 0L);
            }
        }
    }

    private void context(
            long base, boolean ofQueuePair, int newKey, long address, long length, int accessFlags) {
        boolean range = length != 0;
        int owner = ofQueuePair && range ? blocks.number() << 8 : NO_QUEUE_PAIR;
        Segments.INT.set(ALL, base + KEY, (newKey & 0xff) | owner);
        ALL.set(JAVA_BYTE, base, range ? 0 : FREE);
        if (range) {
            ALL.set(JAVA_BYTE, base + RIGHTS, rights(accessFlags));
            Segments.LONG.set(ALL, base + START, (accessFlags & ZERO_BASED) != 0 ? 0 : address);
            Segments.LONG.set(ALL, base + LENGTH, length);
        }
    }

    /// `MLX5_WQE_MKEY_CONTEXT_ACCESS_FLAGS_*`. The kernel grants local reads.
    private static byte rights(int accessFlags) {
        int rights = 0;
        rights |= (accessFlags & Access.LOCAL_WRITE.value()) != 0 ? 1 << 3 : 0;
        rights |= (accessFlags & Access.REMOTE_READ.value()) != 0 ? 1 << 4 : 0;
        rights |= (accessFlags & Access.REMOTE_WRITE.value()) != 0 ? 1 << 5 : 0;
        rights |= (accessFlags & Access.REMOTE_ATOMIC.value()) != 0 ? 1 << 6 : 0;
        return (byte) rights;
    }
}
