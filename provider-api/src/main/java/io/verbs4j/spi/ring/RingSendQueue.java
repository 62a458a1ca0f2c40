// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi.ring;

import io.verbs4j.spi.SendQueueOps;
import java.util.function.IntSupplier;

/// A send queue that is a ring. Implements batches for any format of elements.
public abstract class RingSendQueue extends SendQueueOps {
    private final ProducerRing ring;
    private final IntSupplier doorbell;

    /// Takes over a ring.
    ///
    /// @param doorbell rings the doorbell; returns 0, or a negated errno
    protected RingSendQueue(ProducerRing ring, IntSupplier doorbell) {
        this.ring = ring;
        this.doorbell = doorbell;
    }

    /// Vacates the ring: from now on, posting a work request throws.
    public final void vacate(String reason) {
        ring.vacate(reason);
    }

    @Override
    public final int capacity() {
        return ring.capacity();
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

    @Override
    public int doorbell() {
        return doorbell.getAsInt();
    }
}
