// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import static io.verbs4j.abi.os.RawMemory.ADDRESSES;
import static io.verbs4j.abi.os.RawMemory.ALL;

import io.verbs4j.spi.ring.WorkRequestErrors;
import io.verbs4j.types.PostResult;
import io.verbs4j.types.ScatterGatherList;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// The receive queue of a queue pair: elements of one size. The device consumes them in order, so completions do not
/// identify them. `tail` belongs to the polling thread, as in [SendBlocks].
final class Mlx5ReceiveQueue extends CountedReceives {
    /// `MLX5_INVALID_LKEY`: ends a list that is shorter than the element.
    static final int END_KEY = 0x100;

    private static final VarHandle TAIL;

    static {
        try {
            TAIL = MethodHandles.lookup()
                    .findVarHandle(Mlx5ReceiveQueue.class, "tail", int.class)
                    .withInvokeExactBehavior();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int shift;
    private final int mask;
    private final long[] identifiers;

    /// Number of work requests that fit; 0 once the queue is lost.
    private int room;
    private int tailSeen;

    @SuppressWarnings("unused") // by its handle
    private int tail;

    /// @param count elements, a power of two, at the memory's start
    /// @param shift logarithm of an element's bytes
    Mlx5ReceiveQueue(QueueMemory memory, int count, int shift) {
        super(memory, count, 1 << (shift - Segments.UNIT_SHIFT));
        this.shift = shift;
        this.mask = count - 1;
        this.identifiers = new long[count];
        this.room = count;
    }

    @Override
    public void begin() {
        batch = 0;
    }

    @Override
    public int receive(long workRequestId, long address, int length, int lkey) {
        if (length < 0) {
            throw WorkRequestErrors.receive(length, 1, maxScatterGather, Integer.MAX_VALUE);
        }
        if (isFull()) {
            return PostResult.QUEUE_FULL;
        }
        long at = element();
        if (length != 0) {
            Mlx5SendQueue.element(at, address, length, lkey);
        }
        end(at, length == 0 ? 0 : 1, maxScatterGather);
        return posted(workRequestId);
    }

    @Override
    public int receive(long workRequestId, ScatterGatherList list) {
        int elements = list.size();
        if (elements > maxScatterGather) {
            throw WorkRequestErrors.receive(list.totalLength(), elements, maxScatterGather, Integer.MAX_VALUE);
        }
        if (isFull()) {
            return PostResult.QUEUE_FULL;
        }
        long at = element();
        end(at, write(at, list, elements), maxScatterGather);
        return posted(workRequestId);
    }

    /// Writes a list without its empty buffers, since the device reads the length 0 as 2 GiB.
    ///
    /// @param elements the checked number of buffers; another thread may change that of the list
    /// @return the number of written buffers
    static int write(long at, ScatterGatherList list, int elements) {
        int count = 0;
        for (int i = 0; i < elements; i++) {
            int length = list.length(i);
            if (length != 0) {
                Mlx5SendQueue.element(
                        at + ((long) count << Segments.UNIT_SHIFT), list.address(i), length, list.lkey(i));
                count++;
            }
        }
        return count;
    }

    /// Ends a list.
    static void end(long at, int count, int room) {
        if (count < room) {
            Mlx5SendQueue.element(at + ((long) count << Segments.UNIT_SHIFT), 0, 0, END_KEY);
        }
    }

    private boolean isFull() {
        if (published + batch - tailSeen < room) {
            return false;
        }
        requireNotLost();
        int tail = (int) TAIL.getAcquire(this);
        if (published - tail < 0) {
            return true; // more completions than receives, which no device reports
        }
        tailSeen = tail;
        return published + batch - tail >= room;
    }

    private long element() {
        return memory.address() + ((long) (published + batch & mask) << shift);
    }

    private int posted(long workRequestId) {
        identifiers[published + batch & mask] = workRequestId;
        batch++;
        return PostResult.POSTED;
    }

    @Override
    public void abandon() {
        batch = 0;
    }

    @Override
    void lose(String reason) {
        super.lose(reason);
        room = 0;
    }

    /// Restarts, as the device does in RESET. The caller holds the lock.
    void reset() {
        published = 0;
        batch = 0;
        tailSeen = 0;
        TAIL.setRelease(this, 0);
        Segments.INT.setRelease(ALL, memory.record() & ADDRESSES, 0);
    }

    /// Releases the oldest receive, for the polling thread.
    ///
    /// @return its identifier
    long retire() {
        int oldest = (int) TAIL.getAcquire(this);
        long identifier = identifiers[oldest & mask];
        TAIL.setRelease(this, oldest + 1);
        return identifier;
    }
}
