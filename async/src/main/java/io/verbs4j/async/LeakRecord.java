// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.async;

import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicBoolean;

/// The leak detector's record of one lease: the stack trace of the code that took the lease, and whether the lease is
/// closed. If an open lease becomes unreachable, the record logs the stack trace and returns the slab to the pool.
final class LeakRecord implements Runnable {
    private static final System.Logger LOGGER = System.getLogger("io.verbs4j.async");
    private static final Cleaner CLEANER = Cleaner.create();

    private final Slab slab;
    private final Throwable taken;
    private final AtomicBoolean closed = new AtomicBoolean();

    private LeakRecord(Slab slab) {
        this.slab = slab;
        this.taken = new Throwable("the lease was taken here by " + Thread.currentThread());
    }

    static Lease lease(Slab slab) {
        var record = new LeakRecord(slab);
        var lease = new Lease(slab, record);
        slab.record = record;
        CLEANER.register(lease, record);
        return lease;
    }

    /// Marks the lease as closed, and returns whether it was open.
    boolean close() {
        return closed.compareAndSet(false, true);
    }

    boolean isClosed() {
        return closed.get();
    }

    Throwable taken() {
        return taken;
    }

    /// Called when the lease is unreachable.
    @Override
    public void run() {
        if (close()) {
            slab.pool.countLeak();
            LOGGER.log(System.Logger.Level.WARNING, "a lease of " + slab.pool + " was lost without being closed",
                    taken);
            slab.giveUp();
        }
    }
}
