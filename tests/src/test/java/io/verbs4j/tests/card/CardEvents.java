// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.card;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.verbs4j.abi.device.EventFile;
import io.verbs4j.types.Errno;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// A completion channel of the card.
final class CardEvents implements EventFile {
    private final int number;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Long> events = new ArrayDeque<>();
    private int wakings;
    private boolean closed;

    CardEvents(int number) {
        this.number = number;
    }

    void add(long userHandle) {
        lock.lock();
        try {
            events.add(userHandle);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Takes back what nobody has read of a queue that is destroyed.
    void forget(long userHandle) {
        lock.lock();
        try {
            events.removeIf(event -> event == userHandle);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int fileDescriptor() {
        return number;
    }

    @Override
    public int read(MemorySegment record) {
        lock.lock();
        try {
            Long event = closed ? null : events.poll();
            if (event == null) {
                return closed ? -Errno.EBADF : -Errno.EAGAIN;
            }
            record.set(JAVA_LONG, 0, event);
            return Long.BYTES;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int await(long timeoutNanos) {
        lock.lock();
        try {
            int woken = wakings;
            long left = timeoutNanos;
            while (!closed && events.isEmpty() && wakings == woken) {
                if (timeoutNanos < 0) {
                    changed.await();
                } else if (left <= 0) {
                    return 0;
                } else {
                    left = changed.awaitNanos(left);
                }
            }
            return closed ? -Errno.EBADF : events.isEmpty() ? -Errno.EINTR : 1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return -Errno.EINTR;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void wake() {
        lock.lock();
        try {
            wakings++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
