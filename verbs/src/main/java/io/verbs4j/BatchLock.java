// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.types.InvalidWorkRequestException;
import java.io.Serial;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.AbstractQueuedLongSynchronizer;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/// The lock around the batches of one queue. It also records which thread has a batch open.
///
/// It works like [java.util.concurrent.locks.ReentrantLock], except that an abandoned batch does not block the queue
/// indefinitely. A waiting thread takes the lock over if the owning thread has ended, or if the owner's frame has ended
/// without unlocking. Only an `Error` such as `StackOverflowError` ends a frame in that way.
///
/// A single-threaded queue has a lock that locks nothing, but still records which thread has a batch open. Batch
/// objects are reused: a thread with a reference from an earlier batch must not access another thread's batch.
final class BatchLock {
    /// System property: the time in seconds for which a close waits for the batch of a live thread.
    static final String CLOSE_TIMEOUT_PROPERTY = "verbs4j.close.timeout";

    private static final int DEFAULT_CLOSE_TIMEOUT_SECONDS = 60;
    /// Interval at which a waiting thread checks that the owner is alive.
    private static final long CHECK_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /// Marks that no batch is open, because the identifiers of threads are positive.
    private static final long NO_THREAD = 0;

    private final Sync sync = new Sync();
    private final String batch;
    private final boolean locking;
    /// Identifier of the thread that has a batch open. Storing a reference instead would cost a write barrier per
    /// batch.
    private long thread;
    /// A thread whose frame has ended, perhaps without unlocking. That thread itself sets the field by a plain
    /// assignment, because its stack may have no room for a call. The field has no meaning unless the thread is the
    /// owner.
    volatile @Nullable Thread abandonedBy;

    /// @param batch the name of the batch in errors
    /// @param locking false for a single-threaded queue
    BatchLock(String batch, boolean locking) {
        this.batch = batch;
        this.locking = locking;
    }

    /// Waits without a time limit.
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

    /// Returns whether the lock excludes other threads.
    boolean isLocking() {
        return locking;
    }

    /// Records that a batch of this thread begins.
    void opened() {
        thread = Thread.currentThread().threadId();
    }

    /// Records that the batch has ended.
    void closed() {
        thread = NO_THREAD;
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
        if (thread != NO_THREAD) {
            throw open();
        }
    }

    /// Refuses an action that would end this thread's own open batch.
    void requireNotHere() {
        if (isHere()) {
            throw open();
        }
    }

    private IllegalStateException open() {
        return new IllegalStateException("a " + batch + " is open: submit or close it first");
    }

    /// Posts as many work requests of a list as there is room for, in a batch of its own.
    ///
    /// @param begin begins the batch, with this lock
    /// @return the number of posted work requests
    <B, R> int postAll(
            Supplier<B> begin, List<R> requests, BiPredicate<B, R> post, ToIntFunction<B> submit, Consumer<B> close) {
        Thread here = Thread.currentThread();
        B open = begin.get();
        try {
            for (int i = 0; i < requests.size(); i++) {
                try {
                    if (!post.test(open, requests.get(i))) {
                        break;
                    }
                } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
                    throw new InvalidWorkRequestException(i, e);
                }
            }
            return submit.applyAsInt(open);
        } finally {
            boolean ended = false;
            try {
                close.accept(open);
                ended = true;
            } finally {
                if (!ended) {
                    abandonedBy = here; // the stack may have no room for a call
                }
            }
        }
    }

    /// Waits for another thread's batch before an object is closed, resized or reset.
    ///
    /// @throws IllegalStateException if the thread does not end its batch in time; the message names the thread
    void lockFor(VerbsObject object) {
        long seconds = Long.getLong(CLOSE_TIMEOUT_PROPERTY, DEFAULT_CLOSE_TIMEOUT_SECONDS);
        if (!tryLock() && !await(TimeUnit.SECONDS.toNanos(seconds))) {
            throw new IllegalStateException(object + " is in use: " + describe(sync.holder())
                    + " has had a " + batch + " open for " + seconds + " s");
        }
    }

    /// Takes several locks without waiting for one while it holds another. Therefore, a thread with an open batch of
    /// one queue may begin a batch of another, in any order.
    static void lockAll(VerbsObject object, BatchLock... locks) {
        int awaited = 0;
        while (true) {
            locks[awaited].lockFor(object);
            int next = 0;
            while (next < locks.length && (next == awaited || locks[next].tryLock())) {
                next++;
            }
            if (next == locks.length) {
                return;
            }
            for (int i = 0; i < locks.length; i++) {
                if (i < next || i == awaited) {
                    locks[i].unlock();
                }
            }
            awaited = next;
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

    /// @return false after the timeout
    private boolean await(long nanos) {
        long start = System.nanoTime();
        boolean interrupted = false;
        try {
            while (true) {
                long left = nanos - (System.nanoTime() - start);
                try {
                    if (sync.tryAcquireNanos(1, Math.min(left, CHECK_INTERVAL_NANOS)) || inherit()) {
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

    /// Takes the lock over, and logs which thread left its batch open.
    private boolean inherit() {
        Thread holder = sync.holder();
        if (!takeOver()) {
            return false;
        }
        Log.LOGGER.log(
                System.Logger.Level.WARNING,
                "{0} left a {1} open: the thread ended, or an Error ended its frame. The batch is discarded",
                describe(holder),
                batch);
        return true;
    }

    /// Becomes the owner in place of a thread that will never unlock. Concurrent calls exclude each other by this
    /// method's monitor.
    @SuppressWarnings("ReferenceEquality") // a thread is only itself
    private synchronized boolean takeOver() {
        Thread holder = sync.holder();
        if (holder == null || (holder.isAlive() && holder != abandonedBy)) {
            return false;
        }
        closed();
        sync.inherit();
        abandonedBy = null; // after the owner's change, which the former owner checks if it continues
        return true;
    }

    /// The state is the identifier of the thread that holds the lock; 0 if the lock is free. The owner is the last
    /// thread that has locked. It is stored only if it is another thread than before, because a store of a reference
    /// costs a write barrier. Thread dumps show this owner, even if the lock is free, and
    /// the JVM's search for deadlocks uses it.
    private final class Sync extends AbstractQueuedLongSynchronizer {
        @Serial private static final long serialVersionUID = 1;

        /// Number of times that the holding thread has locked again.
        private int nested;

        @Override
        @SuppressWarnings("ReferenceEquality") // a thread is only itself
        protected boolean tryAcquire(long unused) {
            Thread current = Thread.currentThread();
            long here = current.threadId();
            long holder = getState();
            if (holder == NO_THREAD) {
                if (abandonedBy == current) { // it had unlocked after all
                    abandonedBy = null;
                }
                if (!compareAndSetState(NO_THREAD, here)) {
                    return false;
                }
                if (getExclusiveOwnerThread() != current) {
                    setExclusiveOwnerThread(current);
                }
                return true;
            }
            if (holder != here) {
                return false;
            }
            if (abandonedBy == current) {
                return takeOver();
            }
            if (getState() != here) { // another thread has just taken it over
                return false;
            }
            nested++;
            return true;
        }

        @Override
        protected boolean tryRelease(long unused) {
            if (getState() != Thread.currentThread().threadId()) {
                throw new IllegalMonitorStateException();
            }
            if (nested > 0) {
                nested--;
                return false;
            }
            setState(NO_THREAD);
            return true;
        }

        /// Returns the thread that holds the lock; null if there is none, or it has not stored itself yet.
        @Nullable
        Thread holder() {
            Thread owner = getExclusiveOwnerThread();
            return owner != null && owner.threadId() == getState() ? owner : null;
        }

        /// Called by one thread at a time, while no other thread changes the state.
        void inherit() {
            Thread current = Thread.currentThread();
            setExclusiveOwnerThread(current);
            nested = 0;
            setState(current.threadId());
        }
    }

    /// The logger `io.verbs4j` of the platform's [System.Logger]. It reports conditions that no return value or
    /// exception can report to the affected thread. The data path never logs. This class is loaded at the first
    /// warning, because finding the logger takes about ten milliseconds.
    private static final class Log {
        static final System.Logger LOGGER = System.getLogger("io.verbs4j");

        private Log() {}
    }
}
