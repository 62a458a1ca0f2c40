// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi;

import io.verbs4j.abi.device.EventFile;
import io.verbs4j.types.Errno;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/// A file of events of a [KernelSide]. Unless threads wait for events, a missing event never arrives.
public final class KernelEvents implements EventFile {
    private final int number;
    private final boolean waits;
    private final Runnable onClose;
    private final Deque<Long> records = new ArrayDeque<>();
    private int wakes;
    private boolean closed;

    KernelEvents(int number, boolean waits, Runnable onClose) {
        this.number = number;
        this.waits = waits;
        this.onClose = onClose;
    }

    /// Adds a completion event.
    ///
    /// @param userHandle identifier of the completion queue
    public synchronized void add(long userHandle) {
        records.add(userHandle);
        notifyAll();
    }

    /// Returns whether the program has closed the file.
    public synchronized boolean isClosed() {
        return closed;
    }

    @Override
    public int fileDescriptor() {
        return number;
    }

    @Override
    public synchronized int await(long timeoutNanos) {
        long deadline = System.nanoTime() + timeoutNanos;
        int before = wakes;
        long left = timeoutNanos;
        while (waits && records.isEmpty() && !closed && wakes == before && left > 0) {
            try {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return -Errno.EINTR;
            }
            left = deadline - System.nanoTime();
        }
        return closed ? -Errno.EBADF : !records.isEmpty() ? 1 : wakes != before ? -Errno.EINTR : 0;
    }

    @Override
    public synchronized int read(MemorySegment record) {
        if (closed) {
            return -Errno.EBADF;
        }
        Long next = records.poll();
        if (next == null) {
            return -Errno.EAGAIN;
        }
        record.set(ValueLayout.JAVA_LONG, 0, next);
        return Long.BYTES;
    }

    @Override
    public synchronized void wake() {
        wakes++;
        notifyAll();
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            onClose.run();
            notifyAll();
        }
    }
}
