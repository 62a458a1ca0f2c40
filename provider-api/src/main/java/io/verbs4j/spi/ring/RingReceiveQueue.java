// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi.ring;

import io.verbs4j.spi.ReceiveQueueOps;

/// A receive queue that is a ring, either of a queue pair or shared. Implements batches for any format of elements.
public abstract class RingReceiveQueue extends ReceiveQueueOps {
    private final int maxScatterGather;
    private ProducerRing ring;

    /// Takes over a ring.
    ///
    /// @param maxScatterGather maximum number of scatter/gather elements of a receive
    protected RingReceiveQueue(ProducerRing ring, int maxScatterGather) {
        this.ring = ring;
        this.maxScatterGather = maxScatterGather;
    }

    /// Replaces the ring.
    protected final void moveTo(ProducerRing other) {
        ring = other;
    }

    /// Vacates the ring: from now on, posting a receive throws.
    public final void vacate(String reason) {
        ring.vacate(reason);
    }

    @Override
    public final int capacity() {
        return ring.capacity();
    }

    @Override
    public final int maxScatterGather() {
        return maxScatterGather;
    }

    @Override
    public void begin() {
        ring.begin();
    }

    @Override
    public int publish() {
        return ring.publish();
    }

    @Override
    public void abandon() {
        ring.abandon();
    }
}
