// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// Waits of a platform thread in `read` on the file itself, one system call instead of two. A signal interrupts it.
/// Reusable, by one thread at a time.
///
/// A signal interrupts a running system call, but is lost if it arrives just before one. Therefore the interrupting
/// thread first stores the reason in a field that the reader checks before it reads. Then it sends signals until the
/// reader has returned or the reason is withdrawn.
final class ReadingWaiter implements Waiter, AutoCloseable {
    /// The thread is not in a read.
    private static final int OUT = 0;

    /// The thread reads, is about to read, or has just read.
    private static final int INSIDE = 1;

    /// Another thread sends the signal. The waiting thread does not leave before it is sent, so that the signal does
    /// not disturb later calls.
    private static final int SIGNALLED = 2;

    private static final long RETRY_NANOS = 20_000;

    private final WakingSignal signal;
    private final Alarm alarm = new Alarm(this::expire);
    private final MemorySegment errno = Arena.ofAuto().allocate(Syscalls.STATE);
    private final AtomicInteger state = new AtomicInteger();
    private Interruption interruption = new Interruption(this::fetchBack);
    private volatile Thread thread = Thread.currentThread();
    /// The thread's `pthread_t`.
    private volatile long number;

    private volatile int ended;
    /// The end of the wait by `System.nanoTime()`.
    private volatile long deadline;

    /// Creates the waiter of the current thread, which may pass it on after a wait.
    ReadingWaiter(WakingSignal signal) {
        this.signal = signal;
        this.number = signal.currentThread();
    }

    /// Waits for a record in the calling thread and takes it. Reads the clock only after a signal: if reading it is a
    /// system call, it takes as long as the read.
    ///
    /// @param file used by the caller for the duration of the call, and in blocking mode
    /// @param deadline by `System.nanoTime()`
    /// @return the number of bytes, 0 after the deadline, or a negated errno
    int take(FileDescriptor file, MemorySegment record, long deadline) {
        this.deadline = deadline;
        Thread present = Thread.currentThread();
        if (!present.equals(thread)) {
            thread = present;
            number = signal.currentThread();
        }
        if (!interruption.isOpen()) {
            interruption = new Interruption(this::fetchBack);
        }
        interruption.start();
        try {
            return read(file.number(), record);
        } finally {
            interruption.stop();
        }
    }

    private int read(int fd, MemorySegment record) {
        state.set(INSIDE);
        try {
            alarm.by(deadline);
            MemorySegment captured = null; // a read that succeeds needs no errno
            for (boolean due = isEnded(); !due; due = isDue()) {
                int got = (int) Syscalls.readOnce(fd, record, captured);
                if (got == 0) {
                    return -Errno.EIO; // the end of the file: no more events
                }
                if (got != -Errno.EINTR) {
                    return got;
                }
                captured = errno;
            }
        } finally {
            leave();
        }
        return ended != 0 ? ended : thread.isInterrupted() ? -Errno.EINTR : 0;
    }

    /// Lets the thread leave, after a signal that is being sent.
    private void leave() {
        while (!state.compareAndSet(INSIDE, OUT)) {
            Thread.onSpinWait();
        }
    }

    /// Returns whether the wait should end without a record.
    private boolean isDue() {
        return isEnded() || left() <= 0;
    }

    private boolean isEnded() {
        return ended != 0 || thread.isInterrupted();
    }

    private long left() {
        return deadline - System.nanoTime();
    }

    @Override
    public void end(int result) {
        ended = result;
        fetchBack();
    }

    /// Sends signals until the thread has left, as long as it should.
    private void fetchBack() {
        while (state.get() != OUT && isDue()) {
            if (state.compareAndSet(INSIDE, SIGNALLED)) {
                try {
                    signal.send(number);
                } finally {
                    state.set(INSIDE);
                }
            }
            LockSupport.parkNanos(RETRY_NANOS);
        }
    }

    /// Ends a read that exceeds its deadline. Called by the alarm.
    ///
    /// @return nanoseconds until the alarm should ring again; negative if no thread is waiting
    private long expire() {
        fetchBack();
        return state.get() == OUT ? -1 : Math.max(left(), RETRY_NANOS);
    }

    /// Resets the waiter after a wait, when no thread can call [#end] any more.
    void reset() {
        ended = 0;
    }

    @Override
    public void close() {
        alarm.close();
    }
}
