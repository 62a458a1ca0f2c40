// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.async;

import io.verbs4j.MemoryRegion;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// A slab that a program holds. Closing it gives it back, at once or, if the device still works with it, as soon as that work has
/// completed.
///
/// A lease must not be used after it was closed: the slab may be somebody else's then. A pool with
/// [leak detection][SlabPool#detectLeaks()] makes a new object for each lease and refuses the use of closed ones; other pools use one
/// object a slab, which costs nothing.
public final class Lease implements AutoCloseable {
    private final Slab slab;
    private final @Nullable LeakRecord record;

    Lease(Slab slab, @Nullable LeakRecord record) {
        this.slab = slab;
        this.record = record;
    }

    /// Returns the slab's memory. The device writes to it while work with it is under way.
    ///
    /// @throws IllegalStateException if the lease is closed and the pool detects that
    public MemorySegment segment() {
        requireOpen();
        return slab.segment;
    }

    /// Returns the region of all slabs, for work requests of one's own; then the lease must stay open until they have completed.
    public MemoryRegion region() {
        return slab.pool.region();
    }

    /// Returns where in the region the slab begins, in bytes.
    public long offset() {
        return slab.offset;
    }

    /// Returns the slab's length in bytes.
    public int length() {
        return slab.pool.slabBytes();
    }

    /// Gives the slab back.
    @Override
    public void close() {
        if (record == null) {
            slab.giveUp();
        } else if (record.close()) {
            slab.giveUp();
        }
    }

    /// Notes that the device works with the slab.
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
