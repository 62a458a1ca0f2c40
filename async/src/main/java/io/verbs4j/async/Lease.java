// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.async;

import io.verbs4j.MemoryRegion;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// A slab that a program holds. Closing it returns the slab: at once or, if the device still uses it, as soon as that
/// work has completed.
///
/// A lease must not be used after it was closed, because the slab may then belong to another user. A pool with
/// [leak detection][SlabPool#detectLeaks()] creates a new object for each lease and rejects the use of closed ones.
/// Other pools have one object per slab, which costs nothing.
public final class Lease implements AutoCloseable {
    private final Slab slab;
    private final @Nullable LeakRecord record;

    Lease(Slab slab, @Nullable LeakRecord record) {
        this.slab = slab;
        this.record = record;
    }

    /// Returns the slab's memory. The device writes to it while work with it is outstanding.
    ///
    /// @throws IllegalStateException if the lease is closed and the pool detects that
    public MemorySegment segment() {
        requireOpen();
        return slab.segment;
    }

    /// Returns the region of all slabs, for work requests that the program posts itself. The lease must then stay open
    /// until they have completed.
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
        slab.pin();
        return slab;
    }

    private void requireOpen() {
        if ((record != null && record.isClosed()) || !slab.isHeld()) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    @Override
    public String toString() {
        return "lease of slab " + slab.index + " of " + slab.pool;
    }
}
