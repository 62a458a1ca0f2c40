// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.CompletionQueue;
import io.verbs4j.abi.device.Deadline;
import io.verbs4j.types.VerbsException;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/// Polls a completion queue on behalf of all threads that wait for its completions. One thread at a time waits in the
/// queue; the other threads wait for that thread. No thread holds the lock while it waits in the queue or polls.
///
/// The caller holds [#lock], unless the comment of a method permits otherwise.
final class MessagePump {
    /// Handles the completions of a poll, under the lock.
    interface Sink {
        void completed(MessageCompletions completions, int index);
    }

    private static final long RECHECK_NANOS = 10_000_000;

    final ReentrantLock lock = new ReentrantLock();

    /// Number of messages that the program has composed and not sent. Guarded by the lock.
    int composed;

    /// Signalled when a completion was taken, or the polling thread has left.
    private final Condition changed = lock.newCondition();
    private final CompletionQueue queue;
    private final Sink sink;
    private final MessageCompletions arrived = new MessageCompletions(); // used by the polling thread
    private boolean polling; // guarded by the lock
    private volatile boolean closed;

    MessagePump(CompletionQueue queue, Sink sink) {
        this.queue = queue;
        this.sink = sink;
    }

    /// Takes available completions, unless another thread is doing so.
    void look() throws InterruptedException {
        while (!polling && poll(Duration.ZERO) == MessageCompletions.MAX_COUNT) {
            // There may be more.
        }
    }

    /// Waits until a completion has arrived, or another thread has signalled.
    ///
    /// @return false after the timeout
    @SuppressWarnings("WaitNotInLoop") // it is in the loops of all callers
    boolean advance(long deadline) throws InterruptedException {
        long left = Deadline.left(deadline);
        return polling ? changed.awaitNanos(left) > 0 : poll(Duration.ofNanos(left)) > 0;
    }

    /// Waits as [#advance(long)] does.
    ///
    /// @param briefly whether to return after 10 ms at the latest, so that the caller can check for changes that raise
    ///     no completion
    /// @return false after the timeout
    boolean advance(long deadline, boolean briefly) throws InterruptedException {
        if (!briefly) {
            return advance(deadline);
        }
        long soon = Deadline.within(Math.min(Deadline.left(deadline), RECHECK_NANOS));
        return advance(soon) || Deadline.left(deadline) > 0;
    }

    /// Waits until completions make a condition true. Ignores interrupts during the wait.
    ///
    /// @return whether the thread was interrupted
    boolean awaitUninterruptibly(BooleanSupplier done, Duration timeout) {
        long deadline = Deadline.within(timeout);
        boolean interrupted = false;
        boolean more = true;
        while (more && !done.getAsBoolean()) {
            try {
                more = advance(deadline);
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (VerbsException | IllegalStateException e) {
                more = false; // the device is gone, or the queue closed
            }
        }
        return interrupted;
    }

    /// Wakes threads that wait for a change by another thread.
    void signal() {
        changed.signalAll();
    }

    private int poll(Duration timeout) throws InterruptedException {
        polling = true;
        lock.unlock();
        try {
            if (timeout.isZero()) {
                return queue.poll(MessageCompletions.MAX_COUNT, arrived);
            }
            return queue.channel() == null
                    ? queue.poll(MessageCompletions.MAX_COUNT, arrived, timeout)
                    : queue.await(MessageCompletions.MAX_COUNT, arrived, timeout);
        } catch (IllegalStateException e) {
            throw closed ? MessageFailure.CLOSED.exception() : e; // the queue is closed after the messages
        } finally {
            lock.lock();
            try {
                for (int i = 0; i < arrived.count(); i++) {
                    sink.completed(arrived, i);
                }
            } finally {
                arrived.clear();
                polling = false;
                changed.signalAll();
            }
        }
    }

    /// Returns whether a thread polls or waits for the queue.
    boolean isPolling() {
        return polling;
    }

    /// Records that this end has closed its messages.
    void close() {
        closed = true;
        changed.signalAll();
    }

    boolean isClosed() {
        return closed;
    }

    /// @throws VerbsException if this end has closed the messages
    void requireOpen() {
        if (isClosed()) {
            throw MessageFailure.CLOSED.exception();
        }
    }
}
