// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import io.verbs4j.types.VerbsException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
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

    /// The deadline of waits without a limit. They do not read the clock, because reading the clock is a system call on
    /// some machines.
    private static final long NEVER = System.nanoTime() + Long.MAX_VALUE / 2;

    /// All bits of [Readiness], and [#IDLE].
    private static final int ALL = -1;
    /// No thread takes completions. Waiting threads treat this like a bit of [Readiness].
    private static final int IDLE = 1 << 31;

    private final StreamProtocol protocol;
    private final ReentrantLock lock;
    private final WaitingThreads waiting = new WaitingThreads();
    private final Completions completions;
    private final boolean grouped;
    private boolean taking; // guarded by the lock
    /// New readiness, to be reported when the lock is released. Guarded by the lock.
    private int news;
    /// Latest time of the next poll of a stream without a group. Written by the thread that takes completions.
    private long pollBy = System.nanoTime() + POLL_NANOS;
    private volatile @Nullable Runnable listener;

    /// @param grouped whether [#onEvent()] and [#onDisconnected] are called
    StreamPump(StreamProtocol protocol, Completions completions, boolean grouped) {
        this.protocol = protocol;
        this.lock = protocol.lock();
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
    void poll() {
        lock.lock();
        try {
            if (!taking) {
                taking = true;
                try {
                    unlock();
                    completions.poll();
                } finally {
                    lock.lock();
                    handOver();
                }
            }
        } finally {
            unlock();
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
            long deadline = nanos < RdmaStream.FOREVER_NANOS ? System.nanoTime() + nanos : NEVER;
            long left = deadline == NEVER ? Long.MAX_VALUE : nanos;
            boolean taken = false;
            do {
                if (left <= 0 && (taken || taking)) {
                    return false;
                }
                if (taking || (taken && grouped)) {
                    park(grouped ? wanted : wanted | IDLE, left);
                    if (Thread.interrupted()) {
                        throw new InterruptedException();
                    }
                } else {
                    take(left > 0 && !grouped, deadline);
                    taken = true;
                }
                left = left(deadline);
            } while ((protocol.readiness() & wanted) == 0);
            return true;
        } finally {
            unlock();
        }
    }

    private static long left(long deadline) {
        return deadline == NEVER ? Long.MAX_VALUE : deadline - System.nanoTime();
    }

    /// Takes completions, and hands them over. Releases the lock meanwhile.
    ///
    /// @param waits whether to wait in the completion queue until the deadline
    private void take(boolean waits, long deadline) throws InterruptedException {
        taking = true;
        try {
            unlock();
            if (waits) {
                takeUntil(deadline);
            } else {
                completions.poll();
            }
        } finally {
            lock.lock();
            handOver();
        }
    }

    private void takeUntil(long deadline) throws InterruptedException {
        completions.awaitUntil(deadline - pollBy < 0 ? deadline : pollBy);
        if (completions.isEmpty()) {
            pollBy = System.nanoTime() + POLL_NANOS;
        }
    }

    /// Parks until another thread reports one of several bits, or for another reason. Releases the lock meanwhile.
    ///
    /// @param nanos the timeout; [Long#MAX_VALUE] for none
    private void park(int wanted, long nanos) {
        WaitingThreads.Place place = waiting.enter(wanted);
        try {
            unlock();
            if (nanos == Long.MAX_VALUE) {
                LockSupport.park(this); // a virtual thread needs no timer
            } else {
                LockSupport.parkNanos(this, nanos);
            }
        } finally {
            lock.lock();
            place.leave();
        }
    }

    /// Handles an event of the completion queue. Takes all completions, and arms the queue again.
    void onEvent() {
        takeAll(true);
    }

    /// Handles the end of the connection. If the device is gone, no completion reports this end.
    ///
    /// @param cause null if the connection has ended without an error
    void onDisconnected(@Nullable VerbsException cause) {
        try {
            takeAll(false); // what has arrived before
        } finally {
            lock.lock();
            try {
                int before = protocol.readiness();
                protocol.broken(cause);
                news |= protocol.readiness() & ~before;
            } finally {
                unlock();
            }
        }
    }

    private void takeAll(boolean arms) {
        boolean interrupted = false;
        boolean more = true;
        lock.lock();
        try {
            while (more) {
                while (taking) {
                    park(IDLE, Long.MAX_VALUE); // that thread may have polled too early
                    interrupted |= Thread.interrupted();
                }
                taking = true;
                try {
                    unlock();
                    more = arms ? completions.pollAndArm() : completions.poll();
                } finally {
                    lock.lock();
                    handOver();
                }
            }
        } finally {
            unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Hands the completions over. The caller holds the lock.
    private void handOver() {
        taking = false;
        news |= IDLE;
        if (!completions.isEmpty()) {
            int before = protocol.readiness();
            completions.handTo(protocol);
            protocol.advance();
            news |= protocol.readiness() & ~before;
        }
    }

    /// Releases the lock. Then reports new readiness to waiting threads and to the listener. A thread that is woken
    /// under the lock would have to wait for the lock, for which the JDK allocates a node.
    private void unlock() {
        int reported = news;
        news = 0;
        lock.unlock();
        if (reported != 0) {
            waiting.wake(reported);
            Runnable informed = listener;
            if (informed != null && reported != IDLE) {
                informed.run();
            }
        }
    }

    /// Makes the waiting threads check the readiness again. The caller holds the lock.
    void wake() {
        waiting.wake(ALL);
    }
}
