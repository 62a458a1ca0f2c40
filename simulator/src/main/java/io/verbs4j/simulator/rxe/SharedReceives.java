// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

/// A shared receive queue.
public final class SharedReceives {
    private final int index;
    private final int maxElements;
    private final Runnable limitReached;
    private Ring ring;
    private int limit;

    SharedReceives(int index, int receives, int maxElements, int limit, Runnable limitReached) {
        this.index = index;
        this.maxElements = maxElements;
        this.limit = limit;
        this.limitReached = limitReached;
        this.ring = new Ring(receives, size(maxElements), false);
    }

    static int size(int elements) {
        return Formats.RECEIVE.size() + elements * Formats.ELEMENT.size();
    }

    /// Returns the number.
    public int index() {
        return index;
    }

    /// Returns the ring.
    public Ring ring() {
        return ring;
    }

    /// Returns the maximum number of buffers of a receive.
    public int maxElements() {
        return maxElements;
    }

    /// Returns the armed limit; 0 for none.
    public int limit() {
        return limit;
    }

    /// Arms the limit.
    public void limit(int receives) {
        limit = receives;
    }

    /// Returns the number of posted receives.
    public int waiting() {
        return ring.waiting();
    }

    /// Replaces the ring by one of another size, and moves its receives.
    public void resize(int receives) {
        Ring other = new Ring(receives, size(maxElements), false);
        ring.moveTo(other, false);
        ring = other;
    }

    /// Removes the receive at the head.
    void take() {
        ring.advance();
        if (limit > 0 && ring.waiting() < limit) {
            limit = 0;
            limitReached.run();
        }
    }
}
