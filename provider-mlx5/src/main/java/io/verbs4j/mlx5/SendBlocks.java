// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import static io.verbs4j.abi.os.RawMemory.ADDRESSES;
import static io.verbs4j.abi.os.RawMemory.ALL;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.verbs4j.types.PostResult;
import io.verbs4j.types.SendFlags;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// The blocks of a send queue: 64 bytes each, one to sixteen per work request, which may wrap around the end. Posting
/// is confined to one thread at a time. The thread that polls the completion queue, under another lock, returns blocks:
///
/// | invariant | the posting thread | the polling thread |
/// |---|---|---|
/// | a block is written only after its work request has completed | `tail` with acquire, before the block | `tail` with release, after identifier and kind |
/// | identifier and kind belong to the work request | writes them before the doorbell | reads them after the completion, which the device wrote after the doorbell |
///
/// Like libmlx5, it admits the number of work requests that fit if all have the maximum length.
final class SendBlocks {
    /// Result of [#claim()] for a full queue.
    static final long FULL = -1;

    private static final VarHandle TAIL = tail();
    private static final VarHandle WORD = JAVA_LONG.varHandle().withInvokeExactBehavior();

    private static final int CONTROL_SECOND = (int) Segments.CONTROL.offset("signature");
    private static final int QUEUE_PAIR_SHIFT = 8;
    private static final int COUNTER = 0xffff;
    /// `fm_ce_se`: bits of libmlx5's `MLX5_WQE_CTRL_*`.
    private static final int COMPLETES = 2 << 2;

    private static final int SOLICITED = 1 << 1;
    private static final int FENCE = 4 << 5;
    private static final int SMALL_FENCE = 1 << 5;

    private final QueueMemory memory;
    private final long start;
    private final long end;
    private final long record;
    private final int capacity;
    private final int mask;
    private final int number;
    private final int alwaysSet;
    private final @Nullable DoorbellRegister register;

    /// Indexed by the number of a work request's first block.
    private final long[] identifiers;

    private final byte[] kinds;
    private final int[] orders;

    /// Number of work requests that fit; 0 once the queue is lost.
    private int room;
    private int nextBlock;
    private int head;
    private int tailSeen;
    private int nextFence;
    private long last;

    private int batch;
    private int batchBlock;
    private int batchFence;

    @SuppressWarnings("unused") // by its handle
    private int tail;

    private volatile @Nullable String lost;

    /// @param offset of the first block in memory
    /// @param blocks a power of two
    /// @param capacity work requests
    /// @param number of the queue pair
    /// @param register null without a device
    SendBlocks(
            QueueMemory memory,
            long offset,
            int blocks,
            int capacity,
            int number,
            boolean signalAll,
            @Nullable DoorbellRegister register) {
        this.memory = memory;
        this.start = memory.address() + offset;
        this.end = start + ((long) blocks << Segments.BLOCK_SHIFT);
        this.record = memory.record();
        this.mask = blocks - 1;
        this.capacity = capacity;
        this.room = capacity;
        this.number = number;
        this.alwaysSet = signalAll ? COMPLETES : 0;
        this.register = register;
        this.identifiers = new long[Math.max(blocks, 1)];
        this.kinds = new byte[Math.max(blocks, 1)];
        this.orders = new int[Math.max(blocks, 1)];
    }

    private static VarHandle tail() {
        try {
            return MethodHandles.lookup().findVarHandle(SendBlocks.class, "tail", int.class).withInvokeExactBehavior();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    int capacity() {
        return capacity;
    }

    int number() {
        return number;
    }

    /// Marks the queue as lost: posts throw from now on.
    void lose(String reason) {
        lost = reason;
        room = 0;
    }

    void begin() {
        abandon();
        batchBlock = nextBlock;
        batchFence = nextFence;
    }

    /// Claims blocks for a work request.
    ///
    /// @return the address of its first byte, or [#FULL]
    long claim() {
        if (head + batch - tailSeen >= room && !makeRoom()) {
            return FULL;
        }
        return start + ((long) (nextBlock & mask) << Segments.BLOCK_SHIFT);
    }

    /// Completions of unpublished work requests, which no device reports, free nothing.
    private boolean makeRoom() {
        requireNotLost();
        int tail = (int) TAIL.getAcquire(this);
        if (head - tail < 0) {
            return false;
        }
        tailSeen = tail;
        return head + batch - tail < room;
    }

    /// Returns the position after a segment; after the last one, the start of the queue.
    long wrap(long at) {
        return at == end ? start : at;
    }

    /// Returns the number of bytes up to the end of the queue.
    int bytesLeft(long at) {
        return (int) Math.min(end - at, Integer.MAX_VALUE);
    }

    /// Returns the address of the first byte.
    long start() {
        return start;
    }

    /// Completes a work request by its control segment, and takes its blocks.
    ///
    /// @param at result of [#claim()]
    /// @param opcode the device's opcode
    /// @param size segments, the control segment included
    /// @param data immediate data or key
    /// @param kind opcode of the completion of a key change; otherwise 0
    /// @return [PostResult#POSTED]
    int posted(long at, int opcode, int size, int flags, int data, long identifier, int kind) {
        int block = nextBlock;
        int fence = (flags & SendFlags.FENCE) != 0 ? FENCE : nextFence;
        nextFence = kind == 0 ? 0 : SMALL_FENCE;
        int signals = alwaysSet | fence
                | ((flags & SendFlags.SIGNALED) != 0 ? COMPLETES : 0)
                | ((flags & SendFlags.SOLICITED) != 0 ? SOLICITED : 0);
        Segments.LONG.set(
                ALL,
                at & ADDRESSES,
                Segments.pair((block & COUNTER) << 8 | opcode, number << QUEUE_PAIR_SHIFT | size));
        Segments.LONG.set(ALL, (at & ADDRESSES) + CONTROL_SECOND, Segments.pair(signals, data));
        int index = block & mask;
        identifiers[index] = identifier;
        kinds[index] = (byte) kind;
        orders[index] = head + batch;
        last = at;
        batch++;
        nextBlock = block + ((size + 3) >> (Segments.BLOCK_SHIFT - Segments.UNIT_SHIFT));
        return PostResult.POSTED;
    }

    /// Passes the batch to the device: first the doorbell record, then the doorbell.
    ///
    /// @return the number of its work requests
    int publish() {
        requireNotLost();
        int count = batch;
        if (count != 0) {
            head += count;
            batch = 0;
            Segments.INT.setRelease(ALL, (record & ADDRESSES) + Integer.BYTES, nextBlock & COUNTER);
            if (register != null) {
                register.ring((long) WORD.get(ALL, last & ADDRESSES));
            }
        }
        return count;
    }

    void abandon() {
        if (batch != 0) {
            nextBlock = batchBlock;
            nextFence = batchFence;
            batch = 0;
        }
    }

    /// Restarts, as the device does in RESET. The caller holds the lock.
    void reset() {
        nextBlock = 0;
        head = 0;
        batch = 0;
        tailSeen = 0;
        TAIL.setRelease(this, 0);
        Segments.INT.setRelease(ALL, (record & ADDRESSES) + Integer.BYTES, 0);
    }

    /// Returns the identifier of the work request to which a completion refers, for the polling thread.
    long identifier(int counter) {
        return identifiers[counter & mask];
    }

    /// Returns the kind of its key change.
    int kind(int counter) {
        return kinds[counter & mask];
    }

    /// Releases the blocks of all work requests up to the one to which a completion refers.
    void retire(int counter) {
        TAIL.setRelease(this, orders[counter & mask] + 1);
    }

    private void requireNotLost() {
        String reason = lost;
        if (reason != null) {
            throw new IllegalStateException(reason);
        }
    }

    @Override
    public String toString() {
        return "send queue at 0x" + Long.toHexString(memory.address());
    }
}
