// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import static io.verbs4j.abi.os.RawMemory.ADDRESSES;
import static io.verbs4j.abi.os.RawMemory.ALL;

import io.verbs4j.spi.ring.WorkRequestErrors;
import io.verbs4j.types.PostResult;
import io.verbs4j.types.ScatterGatherList;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/// The elements of a shared receive queue: a list that the device follows, since receives complete in any order. The
/// posting thread takes elements from its head, under the queue's lock.
///
/// Threads that poll a completion queue append elements without that lock. One exchange replaces the list's end. Then
/// the former end is linked to the new one: for the device in the element, and for the posting thread in `links`. The
/// posting thread follows existing links only, so it never takes the last element.
final class SharedRing extends CountedReceives {
    private static final int NONE = -1;
    private static final int NEXT = (int) Segments.SHARED_NEXT.offset("next_wqe_index");
    private static final VarHandle LAST;
    private static final VarHandle LINK =
            MethodHandles.arrayElementVarHandle(int[].class).withInvokeExactBehavior();

    static {
        try {
            LAST = MethodHandles.lookup()
                    .findVarHandle(SharedRing.class, "last", int.class)
                    .withInvokeExactBehavior();
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int shift;
    private final long[] identifiers;
    private final int[] links;

    private int head;
    private int batchHead;

    @SuppressWarnings("unused") // by its handle
    private int last;

    /// @param count elements, a power of two
    /// @param usable elements of the list; the device counts all elements, but the others are unused
    SharedRing(QueueMemory memory, int count, int usable, int shift) {
        super(memory, usable - 1, (1 << (shift - Segments.UNIT_SHIFT)) - 1);
        this.shift = shift;
        this.identifiers = new long[usable];
        this.links = new int[usable];
        Arrays.setAll(links, i -> i + 1);
        links[usable - 1] = NONE;
        this.last = usable - 1;
        for (int i = 0; i < count - 1; i++) {
            if (i != usable - 1) {
                link(i, i + 1);
            }
        }
    }

    private long element(int index) {
        return memory.address() + ((long) index << shift);
    }

    private void link(int index, int next) {
        Segments.SHORT.set(ALL, (element(index) & ADDRESSES) + NEXT, (short) next);
    }

    @Override
    public void begin() {
        abandon();
        batchHead = head;
    }

    @Override
    public int receive(long workRequestId, long address, int length, int lkey) {
        if (length < 0) {
            throw WorkRequestErrors.receive(length, 1, maxScatterGather, Integer.MAX_VALUE);
        }
        int next = next();
        if (next == NONE) {
            return PostResult.QUEUE_FULL;
        }
        long at = element(head) + Segments.UNIT;
        if (length != 0) {
            Mlx5SendQueue.element(at, address, length, lkey);
        }
        Mlx5ReceiveQueue.end(at, length == 0 ? 0 : 1, maxScatterGather);
        return posted(workRequestId, next);
    }

    @Override
    public int receive(long workRequestId, ScatterGatherList list) {
        int elements = list.size();
        if (elements > maxScatterGather) {
            throw WorkRequestErrors.receive(list.totalLength(), elements, maxScatterGather, Integer.MAX_VALUE);
        }
        int next = next();
        if (next == NONE) {
            return PostResult.QUEUE_FULL;
        }
        long at = element(head) + Segments.UNIT;
        Mlx5ReceiveQueue.end(at, Mlx5ReceiveQueue.write(at, list, elements), maxScatterGather);
        return posted(workRequestId, next);
    }

    private int next() {
        requireNotLost();
        return (int) LINK.getAcquire(links, head);
    }

    private int posted(long workRequestId, int next) {
        identifiers[head] = workRequestId;
        head = next;
        batch++;
        return PostResult.POSTED;
    }

    @Override
    public void abandon() {
        if (batch != 0) {
            head = batchHead;
            batch = 0;
        }
    }

    /// Returns an element to the list. Thread-safe.
    ///
    /// @param index from a completion; an invalid one is ignored
    /// @return its identifier
    long retire(int index) {
        if (index >= links.length) {
            return 0;
        }
        long identifier = identifiers[index];
        LINK.setOpaque(links, index, NONE);
        int former = (int) LAST.getAndSet(this, index);
        link(former, index);
        LINK.setRelease(links, former, index);
        return identifier;
    }
}
