// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.async;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/// The free ones of a fixed number of things, by index: a stack without locks and without allocation. The head carries a count of
/// changes, so that a head that was taken and put back is seen as another.
final class IndexStack {
    static final int NONE = -1;

    private final AtomicIntegerArray below;
    /// Changes in the upper half, index + 1 in the lower.
    private final AtomicLong head = new AtomicLong();

    /// @param count how many there are, all free
    IndexStack(int count) {
        this.below = new AtomicIntegerArray(count);
        for (int index = count - 1; index >= 0; index--) {
            push(index);
        }
    }

    /// Takes the one that was put back last.
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

    private static long next(long seen, int top) {
        return (((seen >>> Integer.SIZE) + 1) << Integer.SIZE) | (top + 1);
    }
}
