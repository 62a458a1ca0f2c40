// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import io.verbs4j.CompletionQueue;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Brings completions to a stream's protocol. Thread-safe.
///
/// One thread at a time takes completions, without the protocol's lock; further threads that wait do so until it has handed them over. Of a
/// stream that belongs to a group no thread sleeps in the completion queue: the group's thread calls [#onEvent()].
final class StreamPump {
    /// The longest time without a look at the stream.
    private static final Duration SLICE = Duration.ofMillis(500);

    private final StreamProtocol protocol;
    private final ReentrantLock lock;
    private final Condition progress;
    private final Completions completions;
    private final boolean grouped;
    private boolean taking; // guarded by the lock
    private long rounds; // guarded by the lock
    private volatile @Nullable Runnable listener;

    /// @param grouped whether [#onEvent()] is called
    StreamPump(StreamProtocol protocol, CompletionQueue queue, boolean grouped) {
        this.protocol = protocol;
        this.lock = protocol.lock();
        this.progress = lock.newCondition();
        this.completions = new Completions(queue);
        this.grouped = grouped;
    }

    /// Sets what runs when the stream becomes ready for something that it was not ready for before, in any thread, without locks.
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

    /// Hands over completions that are there, unless another thread is about to.
    ///
    /// @return the stream's readiness after it
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

    /// Waits until the stream is ready for one of several things.
    ///
    /// @param wanted bits of [Readiness]
    /// @param nanos the longest wait; completions that are there count, also with 0
    /// @return false after the wait
    boolean await(int wanted, long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if ((protocol.readiness() & wanted) != 0) {
                return true;
            }
            long deadline = System.nanoTime() + nanos;
            long left = nanos;
            do {
                takeOrWait(Math.clamp(left, 0, SLICE.toNanos()));
                if ((protocol.readiness() & wanted) != 0) {
                    return true;
                }
                left = deadline - System.nanoTime();
            } while (left > 0);
            return false;
        } finally {
            lock.unlock();
        }
    }

    private void takeOrWait(long nanos) throws InterruptedException {
        if (!taking) {
            long before = rounds;
            taking = true;
            lock.unlock();
            try {
                completions.take(grouped ? 0 : nanos);
            } finally {
                lock.lock();
                handOver();
            }
            if (!grouped || rounds != before) {
                return;
            }
        }
        long left = nanos;
        for (long seen = rounds; rounds == seen && left > 0;) {
            left = progress.awaitNanos(left);
        }
    }

    /// The completion queue has had an event. Takes all completions, and arms the queue again.
    void onEvent() {
        takeAll();
        completions.arm();
        takeAll(); // what came before the queue was armed raises no event
    }

    private void takeAll() {
        lock.lock();
        try {
            boolean more = true;
            while (more) {
                while (taking) {
                    progress.awaitUninterruptibly(); // that thread may have looked too early
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

    /// Hands the completions over, and reports what the stream has become ready for. Gives the lock up for that.
    private void handOver() {
        taking = false;
        if (grouped && completions.isEmpty()) {
            progress.signalAll(); // for another thread that is to take, and none that waits for news
            return;
        }
        wake();
        int before = protocol.readiness();
        completions.handTo(protocol);
        protocol.advance();
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

    /// Lets the threads that wait look again. Needs the lock.
    void wake() {
        rounds++;
        progress.signalAll();
    }
}
