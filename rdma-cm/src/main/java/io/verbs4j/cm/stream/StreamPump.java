// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import io.verbs4j.types.VerbsException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Hands completions to a stream's protocol. Thread-safe.
///
/// One thread at a time takes completions, without the protocol's lock. Other threads wait until that thread has handed
/// the completions over. If the stream belongs to a group, no thread waits in the completion queue: the group's threads
/// call [#onEvent()] and [#onDisconnected].
final class StreamPump {
    /// The longest time between two polls of a stream without a group.
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /// A wait with a longer timeout has no limit. A wait without a limit does not read the clock, because reading the
    /// clock is a system call on some machines.
    private static final long LONGEST_NANOS = TimeUnit.DAYS.toNanos(100);

    /// The deadline of waits without a limit.
    private static final long NEVER = System.nanoTime() + Long.MAX_VALUE / 2;

    private final StreamProtocol protocol;
    private final ReentrantLock lock;
    private final Condition progress;
    private final Completions completions;
    private final boolean grouped;
    private boolean taking; // guarded by the lock
    private long rounds; // guarded by the lock
    /// Latest time of the next poll of a stream without a group. Written by the thread that takes completions.
    private long pollBy = System.nanoTime() + POLL_NANOS;
    private volatile @Nullable Runnable listener;

    /// @param grouped whether [#onEvent()] and [#onDisconnected] are called
    StreamPump(StreamProtocol protocol, Completions completions, boolean grouped) {
        this.protocol = protocol;
        this.lock = protocol.lock();
        this.progress = lock.newCondition();
        this.completions = completions;
        this.grouped = grouped;
    }

    /// Sets an action that runs when the stream becomes ready for another operation. The action may run in any thread,
    /// and runs without locks.
    void listener(Runnable action) {
        listener = action;
    }

    int readiness() {
        lock.lock();
        try {
            return protocol.readiness();
        } finally {
            lock.unlock();
        }
    }

    /// Takes completions and hands them over, unless another thread is doing so.
    ///
    /// @return the stream's readiness afterwards
    int poll() {
        lock.lock();
        try {
            if (!taking) {
                taking = true;
                lock.unlock();
                try {
                    completions.poll();
                } finally {
                    lock.lock();
                    handOver();
                }
            }
            return protocol.readiness();
        } finally {
            lock.unlock();
        }
    }

    /// Waits until the stream is ready for one of several operations.
    ///
    /// @param wanted bits of [Readiness]
    /// @param nanos the timeout; even with 0, available completions are handled first
    /// @return false after the timeout
    boolean await(int wanted, long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if ((protocol.readiness() & wanted) != 0) {
                return true;
            }
            long deadline = nanos > LONGEST_NANOS ? NEVER : System.nanoTime() + nanos;
            do {
                takeOrWait(deadline, nanos > 0);
                if ((protocol.readiness() & wanted) != 0) {
                    return true;
                }
            } while (left(deadline) > 0);
            return false;
        } finally {
            lock.unlock();
        }
    }

    private static long left(long deadline) {
        return deadline == NEVER ? Long.MAX_VALUE : deadline - System.nanoTime();
    }

    private void takeOrWait(long deadline, boolean waits) throws InterruptedException {
        if (!taking) {
            long before = rounds;
            taking = true;
            lock.unlock();
            try {
                if (grouped || !waits) {
                    completions.poll();
                } else {
                    takeUntil(deadline);
                }
            } finally {
                lock.lock();
                handOver();
            }
            if (!grouped || rounds != before) {
                return;
            }
        }
        long left = left(deadline);
        for (long seen = rounds; rounds == seen && left > 0;) {
            if (deadline == NEVER) {
                progress.await();
            } else {
                left = progress.awaitNanos(left);
            }
        }
    }

    private void takeUntil(long deadline) throws InterruptedException {
        completions.awaitUntil(deadline - pollBy < 0 ? deadline : pollBy);
        if (completions.isEmpty()) {
            pollBy = System.nanoTime() + POLL_NANOS;
        }
    }

    /// Handles an event of the completion queue. Takes all completions, and arms the queue again.
    void onEvent() {
        takeAll();
        completions.arm();
        takeAll(); // completions before arming raise no event
    }

    /// Handles the end of the connection. If the device is gone, no completion reports this end.
    ///
    /// @param cause null if the connection has ended without an error
    void onDisconnected(@Nullable VerbsException cause) {
        try {
            takeAll(); // what has arrived before
        } finally {
            lock.lock();
            try {
                wake();
                int before = protocol.readiness();
                protocol.broken(cause);
                inform(before);
            } finally {
                lock.unlock();
            }
        }
    }

    private void takeAll() {
        lock.lock();
        try {
            boolean more = true;
            while (more) {
                while (taking) {
                    progress.awaitUninterruptibly(); // that thread may have polled too early
                }
                taking = true;
                lock.unlock();
                try {
                    more = completions.poll();
                } finally {
                    lock.lock();
                    handOver();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /// Hands the completions over, and reports new readiness to the listener. Releases the lock meanwhile.
    private void handOver() {
        taking = false;
        if (grouped && completions.isEmpty()) {
            progress.signalAll(); // another thread may take completions now; there is no progress to report
            return;
        }
        wake();
        int before = protocol.readiness();
        completions.handTo(protocol);
        protocol.advance();
        inform(before);
    }

    /// Reports new readiness to the listener. Releases the lock meanwhile.
    private void inform(int before) {
        Runnable informed = listener;
        if (informed != null && (protocol.readiness() & ~before) != 0) {
            lock.unlock();
            try {
                informed.run();
            } finally {
                lock.lock();
            }
        }
    }

    /// Makes the waiting threads check their conditions again. The caller holds the lock.
    void wake() {
        rounds++;
        progress.signalAll();
    }
}
