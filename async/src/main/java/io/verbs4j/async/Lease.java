// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.async;

import io.verbs4j.MemoryRegion;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The right to use one slab of a pool. Closing the lease returns the slab: at once or, if the device still uses the
/// slab, when the device has completed the work.
///
/// Do not use a closed lease, because its slab may already be leased again. A pool with [leak
/// detection][SlabPool#detectLeaks()] creates an object for each lease, and rejects the use of closed leases. Other
/// pools have one object per slab, so that leasing allocates nothing.
public final class Lease implements AutoCloseable {
    private final Slab slab;
    private final @Nullable LeakRecord record;

    Lease(Slab slab, @Nullable LeakRecord record) {
        this.slab = slab;
        this.record = record;
    }

    /// Returns the slab's memory. While work with the slab is outstanding, the device may write to the memory.
    ///
    /// @throws IllegalStateException if the lease is closed, as far as the pool can detect it
    public MemorySegment segment() {
        requireOpen();
        return slab.segment;
    }

    /// Returns the region of all slabs, for work requests that the program posts itself. Keep the lease open until
    /// these work requests have completed.
    public MemoryRegion region() {
        return slab.pool.region();
    }

    /// Returns the slab's offset in the region, in bytes.
    public long offset() {
        return slab.offset;
    }

    /// Returns the slab's length in bytes.
    public int length() {
        return slab.pool.slabBytes();
    }

    /// Gives the slab back to the pool.
    @Override
    public void close() {
        if (record == null) {
            slab.giveUp();
        } else if (record.close()) {
            slab.giveUp();
        }
    }

    /// Records that the device uses the slab.
    Slab pin() {
        requireOpen();
        if (!slab.pin()) { // closed meanwhile by another thread
            throw closed();
        }
        return slab;
    }

    private void requireOpen() {
        if ((record != null && record.isClosed()) || !slab.isHeld()) {
            throw closed();
        }
    }

    private IllegalStateException closed() {
        return new IllegalStateException(this + " is closed");
    }

    @Override
    public String toString() {
        return "lease of slab " + slab.index + " of " + slab.pool;
    }
}
