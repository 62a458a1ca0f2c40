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

    /// Its number.
    public int index() {
        return index;
    }

    /// Its ring.
    public Ring ring() {
        return ring;
    }

    /// Buffers of a receive.
    public int maxElements() {
        return maxElements;
    }

    /// The armed limit, 0 for none.
    public int limit() {
        return limit;
    }

    /// Arms the limit.
    public void limit(int receives) {
        limit = receives;
    }

    /// Receives that wait.
    public int waiting() {
        return ring.waiting();
    }

    /// Gives it a ring of another size, with what waits.
    public void resize(int receives) {
        Ring other = new Ring(receives, size(maxElements), false);
        ring.moveTo(other, false);
        ring = other;
    }

    /// Gives the receive at the head away.
    void take() {
        ring.advance();
        if (limit > 0 && ring.waiting() < limit) {
            limit = 0;
            limitReached.run();
        }
    }
}
