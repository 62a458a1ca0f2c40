// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.async;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/// The free elements of a fixed set, by index: a stack without locks and without allocation. The head includes a count
/// of changes. Therefore, a comparison detects that another thread has removed the top element and put it back.
final class IndexStack {
    static final int NONE = -1;
    /// The head of a closed stack. An open stack never has this head.
    private static final long CLOSED = -1;

    private final AtomicIntegerArray below;
    /// The count of changes in the upper half, and the top element's index + 1 in the lower half.
    private final AtomicLong head = new AtomicLong();

    /// @param count number of elements, all free
    IndexStack(int count) {
        this.below = new AtomicIntegerArray(count);
        for (int index = count - 1; index >= 0; index--) {
            push(index);
        }
    }

    /// Takes the element that was put back last.
    ///
    /// @return [#NONE] if none is free
    int pop() {
        while (true) {
            long seen = head.get();
            int top = (int) seen - 1;
            if (top < 0) {
                return NONE;
            }
            if (head.compareAndSet(seen, next(seen, below.get(top)))) {
                return top;
            }
        }
    }

    void push(int index) {
        while (true) {
            long seen = head.get();
            below.set(index, (int) seen - 1);
            if (head.compareAndSet(seen, next(seen, index))) {
                return;
            }
        }
    }

    /// Closes the stack if all elements are free: nothing can be taken any more. Idempotent.
    ///
    /// @return the number of elements in use; 0 if the stack is closed
    int close() {
        while (true) {
            long seen = head.get();
            if (seen == CLOSED) {
                return 0;
            }
            int used = below.length();
            for (int top = (int) seen - 1; top >= 0 && used > 0; top = below.get(top)) {
                used--;
            }
            if (used > 0 || head.compareAndSet(seen, CLOSED)) {
                return used;
            }
        }
    }

    boolean isClosed() {
        return head.get() == CLOSED;
    }

    private static long next(long seen, int top) {
        return (((seen >>> Integer.SIZE) + 1) << Integer.SIZE) | (top + 1);
    }
}
