// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import java.io.Serial;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import org.jspecify.annotations.Nullable;

/// The lock around the batches of one queue, and which thread has a batch open. Like
/// [java.util.concurrent.locks.ReentrantLock], but no batch holds it for ever: a thread that waits takes it over from an owner
/// that has ended, or whose frame has ended without unlocking, which only an `Error` such as `StackOverflowError` does.
///
/// A single-threaded queue has one that locks nothing, and still knows whose batch is open: a batch object is used again and
/// again, and a thread that holds a reference from an earlier use must not reach into another thread's batch.
final class BatchLock {
    /// Time that a close waits for the batch of a thread that lives, in seconds.
    static final String PATIENCE_PROPERTY = "verbs4j.close.patience";

    private static final int DEFAULT_PATIENCE_SECONDS = 60;
    /// Interval at which a thread that waits looks whether the owner still lives.
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /// Numbers of threads are positive.
    private static final long NOBODY = 0;

    private final Sync sync = new Sync();
    private final String batch;
    private final boolean locking;
    /// The thread that has a batch open, by its number: to store a reference would cost at each batch what the garbage collector
    /// wants to hear of it.
    private long thread;
    /// A thread whose frame has ended, and that may not have unlocked. Written by that thread, without a call: there may be no
    /// stack left for one. Means nothing unless the thread is the owner.
    volatile @Nullable Thread deserter;

    /// @param batch what the lock is held around, for errors
    /// @param locking false for a queue of one thread at a time
    BatchLock(String batch, boolean locking) {
        this.batch = batch;
        this.locking = locking;
    }

    /// Waits for as long as it takes.
    void lock() {
        if (locking && !sync.tryAcquire(1)) {
            await(Long.MAX_VALUE);
        }
    }

    boolean tryLock() {
        return !locking || sync.tryAcquire(1);
    }

    void unlock() {
        if (locking) {
            sync.release(1);
        }
    }

    /// Returns whether other threads can be kept out.
    boolean isLocking() {
        return locking;
    }

    /// A batch of this thread begins.
    void opened() {
        thread = Thread.currentThread().threadId();
    }

    /// The batch has ended.
    void closed() {
        thread = NOBODY;
    }

    /// Returns whether this thread has a batch open.
    boolean isHere() {
        return thread == Thread.currentThread().threadId();
    }

    void requireHere() {
        if (!isHere()) {
            throw new IllegalStateException("this " + batch + " is not open in this thread");
        }
    }

    void requireIdle() {
        if (thread != NOBODY) {
            throw open();
        }
    }

    /// Refuses what would end the batch under this thread's own hands.
    void requireNotHere() {
        if (isHere()) {
            throw open();
        }
    }

    private IllegalStateException open() {
        return new IllegalStateException("a " + batch + " is open: submit or close it first");
    }

    /// Waits for the batch of another thread before something is closed, resized or reset.
    ///
    /// @throws IllegalStateException naming the thread, if it does not end its batch
    void lockFor(VerbsObject object) {
        long seconds = Long.getLong(PATIENCE_PROPERTY, DEFAULT_PATIENCE_SECONDS);
        if (!tryLock() && !await(TimeUnit.SECONDS.toNanos(seconds))) {
            throw new IllegalStateException(object + " is in use: " + describe(sync.holder())
                    + " has had a " + batch + " open for " + seconds + " s");
        }
    }

    /// Takes two locks, and never waits for one while it holds the other: a thread with one batch open may be about to begin
    /// the other, in whichever order.
    static void lockBoth(BatchLock one, BatchLock other, VerbsObject object) {
        BatchLock first = one;
        BatchLock second = other;
        first.lockFor(object);
        while (!second.tryLock()) {
            first.unlock();
            BatchLock busy = second;
            second = first;
            first = busy;
            first.lockFor(object);
        }
    }

    private static String describe(@Nullable Thread holder) {
        if (holder == null) {
            return "another thread";
        }
        StackTraceElement[] frames = holder.getStackTrace();
        return "thread '" + holder.getName() + "' (" + holder.getState()
                + (frames.length == 0 ? "" : " in " + frames[0]) + ")";
    }

    /// @return false after the time
    private boolean await(long nanos) {
        long start = System.nanoTime();
        boolean interrupted = false;
        try {
            while (true) {
                long left = nanos - (System.nanoTime() - start);
                try {
                    if (sync.tryAcquireNanos(1, Math.min(left, LOOK_NANOS)) || inherit()) {
                        return true;
                    }
                } catch (InterruptedException e) {
                    interrupted = true;
                }
                if (left <= 0) {
                    return false;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Takes the lock over, and says whose batch was left open.
    private boolean inherit() {
        Thread holder = sync.holder();
        if (!takeOver()) {
            return false;
        }
        Log.LOGGER.log(
                System.Logger.Level.WARNING,
                "{0} has left a {1} open, which is discarded: the thread has ended, or an Error has torn its frame away",
                describe(holder),
                batch);
        return true;
    }

    /// Becomes the owner in place of one that will not unlock any more. Nobody else can be about to: not the owner, and other
    /// heirs wait for this method.
    @SuppressWarnings("ReferenceEquality") // a thread is only itself
    private synchronized boolean takeOver() {
        Thread holder = sync.holder();
        if (holder == null || (holder.isAlive() && holder != deserter)) {
            return false;
        }
        closed();
        sync.inherit();
        deserter = null; // after the owner's change, which the former owner looks at if it comes back
        return true;
    }

    private final class Sync extends AbstractQueuedSynchronizer {
        @Serial private static final long serialVersionUID = 1;

        @Override
        @SuppressWarnings("ReferenceEquality") // a thread is only itself
        protected boolean tryAcquire(int count) {
            Thread current = Thread.currentThread();
            int held = getState();
            if (held == 0) {
                if (deserter == current) { // it had unlocked after all
                    deserter = null;
                }
                if (compareAndSetState(0, 1)) {
                    setExclusiveOwnerThread(current);
                    return true;
                }
                return false;
            }
            if (getExclusiveOwnerThread() != current) {
                return false;
            }
            if (deserter == current) {
                return takeOver();
            }
            if (getExclusiveOwnerThread() != current) { // another thread has just taken it over
                return false;
            }
            setState(held + 1);
            return true;
        }

        @Override
        @SuppressWarnings("ReferenceEquality") // a thread is only itself
        protected boolean tryRelease(int count) {
            if (getExclusiveOwnerThread() != Thread.currentThread()) {
                throw new IllegalMonitorStateException();
            }
            int held = getState() - 1;
            if (held == 0) {
                setExclusiveOwnerThread(null);
            }
            setState(held);
            return held == 0;
        }

        @Nullable
        Thread holder() {
            return getState() == 0 ? null : getExclusiveOwnerThread();
        }

        /// Called by one thread at a time, while nobody else changes the state.
        void inherit() {
            setExclusiveOwnerThread(Thread.currentThread());
            setState(1);
        }
    }
}
