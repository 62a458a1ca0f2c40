// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.async;

import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.types.Access;
import io.verbs4j.types.Ranges;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Leases slabs: parts of equal size of one memory region. Registering memory takes a system call and pins pages. A
/// lease needs no system call, no lock and no allocation.
///
/// Thread-safe, and suitable for virtual threads.
public final class SlabPool implements AutoCloseable {
    /// Alignment of slabs, so that neighbours share no cache line.
    private static final int ALIGNMENT = 64;

    private final MemoryRegion region;
    private final int slabBytes;
    private final Slab[] slabs;
    private final IndexStack free;
    private final Semaphore available;
    private final AtomicLong leaks = new AtomicLong();
    private volatile boolean detecting;
    private volatile boolean closed;

    private SlabPool(MemoryRegion region, int count, int slabBytes, long stride) {
        this.region = region;
        this.slabBytes = slabBytes;
        this.slabs = new Slab[count];
        for (int index = 0; index < count; index++) {
            slabs[index] = new Slab(this, index, index * stride, region.segment().asSlice(index * stride, slabBytes));
        }
        this.free = new IndexStack(count);
        this.available = new Semaphore(count);
    }

    /// Allocates and registers memory for slabs.
    ///
    /// @param count number of slabs, 1 to 2^24
    /// @param slabBytes length of each slab in bytes, at least 1
    /// @param access rights of the region; slabs for receives and RDMA reads need [Access#LOCAL_WRITE]
    public static SlabPool allocate(ProtectionDomain domain, int count, int slabBytes, Access... access) {
        Ranges.check("count", count, 1, 1 << 24);
        Ranges.check("slabBytes", slabBytes, 1, Integer.MAX_VALUE - ALIGNMENT);
        long stride = (slabBytes + ALIGNMENT - 1L) / ALIGNMENT * ALIGNMENT;
        MemoryRegion region = domain.allocate(count * stride, access);
        try {
            return new SlabPool(region, count, slabBytes, stride);
        } catch (OutOfMemoryError e) {
            region.close();
            throw e;
        }
    }

    /// Switches leak detection on. From now on, the pool records the stack trace of each lease, logs leases that are
    /// lost without being closed, and rejects the use of closed leases. Each lease then takes some microseconds.
    ///
    /// @return this pool
    public SlabPool detectLeaks() {
        detecting = true;
        return this;
    }

    /// Leases a slab; waits until one is free.
    ///
    /// @throws IllegalStateException if the pool is closed, even during this call
    public Lease lease() throws InterruptedException {
        requireOpen();
        available.acquire();
        return take();
    }

    /// Leases a slab; waits until one is free, at most for the timeout.
    ///
    /// @return null after the timeout
    /// @throws IllegalStateException if the pool is closed, even during this call
    public @Nullable Lease lease(Duration timeout) throws InterruptedException {
        requireOpen();
        return available.tryAcquire(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS) ? take() : null;
    }

    /// Leases a slab if one is free.
    ///
    /// @return null if none is free
    /// @throws IllegalStateException if the pool is closed
    public @Nullable Lease tryLease() {
        requireOpen();
        return available.tryAcquire() ? take() : null;
    }

    /// Takes a slab, after the caller has taken a permit.
    private Lease take() {
        if (closed) {
            available.release(); // the next waiting thread fails, too
            requireOpen();
        }
        int index = free.pop();
        if (index == IndexStack.NONE) {
            throw new IllegalStateException(this + " records a slab as free that is in use");
        }
        Slab slab = slabs[index];
        slab.hold();
        return detecting ? LeakRecord.lease(slab) : slab.lease;
    }

    void takeBack(Slab slab) {
        slab.record = null;
        free.push(slab.index);
        available.release();
    }

    /// Returns the number of free slabs.
    public int available() {
        return closed ? 0 : available.availablePermits();
    }

    /// Returns the number of slabs.
    public int count() {
        return slabs.length;
    }

    /// Returns the length of each slab in bytes.
    public int slabBytes() {
        return slabBytes;
    }

    /// Returns the number of lost leases that the garbage collector has found: leases that became unreachable without
    /// being closed. Always 0 without [#detectLeaks()].
    public long leaks() {
        return leaks.get();
    }

    void countLeak() {
        leaks.incrementAndGet();
    }

    MemoryRegion region() {
        return region;
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    /// Closes the region. Threads that wait for a slab fail. If another thread is already closing the pool, waits for
    /// the outcome, and repeats a close that was refused. Idempotent.
    ///
    /// @throws IllegalStateException if slabs are leased or the device uses them. The pool then stays open, because the
    ///     device could write to freed memory. With leak detection, the suppressed exceptions contain the stack traces
    ///     of the open leases
    /// @throws io.verbs4j.types.VerbsException if the kernel refuses, for example because a memory window is bound to
    ///     the region. The pool then stays open, and the close can be repeated
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        if (!available.tryAcquire(slabs.length)) {
            var refusal = new IllegalStateException(
                    this + " is in use: " + (slabs.length - available())
                            + " slabs are leased, or the device uses them");
            for (Slab slab : slabs) {
                LeakRecord record = slab.record;
                if (record != null) {
                    refusal.addSuppressed(record.taken());
                }
            }
            throw refusal;
        }
        try {
            region.close();
            closed = true;
        } finally {
            available.release(closed ? 1 : slabs.length); // a waiting thread fails, and releases the permit again
        }
    }

    @Override
    public String toString() {
        return "pool of " + slabs.length + " slabs of " + slabBytes + " bytes";
    }
}
