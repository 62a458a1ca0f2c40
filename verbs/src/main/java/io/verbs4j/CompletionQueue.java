// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.spi.ProviderCompletionQueue;
import io.verbs4j.spi.ProviderQueuePair;
import io.verbs4j.types.Feature;
import io.verbs4j.types.Ranges;
import io.verbs4j.types.RingReading;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Holds the completions of work requests.
///
/// Polling makes no system call and allocates nothing. The queue is safe for many threads, unless it was made
/// [single-threaded][CompletionQueueOptions#withSingleThread()]. A queue that overflows loses completions for good: it must hold
/// as many as all queues that complete here can have outstanding.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/ibv_create_cq.3.html">ibv_create_cq(3)</a>
/// @see <a href="https://man7.org/linux/man-pages/man3/ibv_poll_cq.3.html">ibv_poll_cq(3)</a>
public final class CompletionQueue extends VerbsObject {
    /// Looks at an empty queue before a thread pauses.
    private static final int SPINS = 1000;
    private static final long SHORTEST_PAUSE_NANOS = 10_000;
    private static final long LONGEST_PAUSE_NANOS = 1_000_000;

    private final Context context;
    private final ProviderCompletionQueue provider;
    private final @Nullable CompletionChannel channel;
    /// An object, since a close must not need heap to look it up.
    private final Long userHandle;
    /// Takes the queue from those whose events wait in the channel.
    private final Runnable leaving;
    private final BatchLock lock;
    private final CompletionBatch batch;
    /// Events that the channel has brought, for threads that sleep until there is another.
    private final AtomicLong announcements = new AtomicLong();
    /// Queue pairs that were destroyed or reset, and that the queue's next user makes the provider forget.
    private final AtomicReference<@Nullable Forgotten> forgotten = new AtomicReference<>();

    /// Made with each queue pair, since a close must not need heap.
    static final class Forgotten {
        private final ProviderQueuePair queuePair;
        private final AtomicBoolean waiting = new AtomicBoolean();
        private @Nullable Forgotten next;

        Forgotten(ProviderQueuePair queuePair) {
            this.queuePair = queuePair;
        }
    }

    CompletionQueue(
            Context context,
            List<? extends VerbsObject> dependencies,
            ProviderCompletionQueue provider,
            CompletionQueueOptions options,
            long userHandle) {
        super(dependencies);
        this.context = context;
        this.provider = provider;
        this.channel = options.channel();
        this.userHandle = userHandle;
        this.leaving = channel == null ? () -> {} : channel.leaving(this);
        this.lock = new BatchLock("batch of completions of " + this, !options.singleThreaded());
        this.batch = new CompletionBatch(this, provider, lock);
        context.handles().put(userHandle, this);
    }

    /// The context that it was made from.
    public Context context() {
        return context;
    }

    /// Completions that it can hold; at least what was asked for.
    public int capacity() {
        return provider.capacity();
    }

    /// The channel that it announces completions on, or null.
    public @Nullable CompletionChannel channel() {
        return channel;
    }

    /// Hands the completions that wait to `handler`, `max` at most.
    ///
    /// If the handler throws, the completion that it threw on counts as handled, and the exception passes on. The slots of up to 16
    /// completions go back to the device together, before the handler sees the first of them.
    ///
    /// @param max at least 1
    /// @return how many were handed over
    /// @throws IllegalStateException if the queue is closed, also if another thread closes it now
    public int poll(int max, CompletionHandler handler) {
        Ranges.check("max", max, 1, Integer.MAX_VALUE);
        Thread here = Thread.currentThread();
        CompletionBatch open = beginPoll();
        try {
            return open.handTo(handler, max);
        } finally {
            boolean ended = false;
            try {
                open.close();
                ended = true;
            } finally {
                if (!ended) {
                    lock.deserter = here; // there may be no stack left for a call
                }
            }
        }
    }

    /// Polls until at least one completion was handed over, without a channel: the thread looks again and again, and pauses
    /// between two looks, for longer the longer nothing comes, up to a millisecond. A queue with a channel can
    /// [#await(int, CompletionHandler, Duration)], which costs no processor time.
    ///
    /// @param max at least 1
    /// @param timeout the longest wait; 0 polls once
    /// @return how many were handed over; 0 after the timeout
    /// @throws InterruptedException if the thread is interrupted while it waits
    /// @throws IllegalStateException if the queue is closed, also while this waits
    public int poll(int max, CompletionHandler handler, Duration timeout) throws InterruptedException {
        Deadline deadline = Deadline.after(timeout);
        for (int look = 0; true; look++) {
            int count = poll(max, handler);
            if (count > 0) {
                return count;
            }
            long left = deadline.left();
            if (left <= 0) {
                return 0;
            }
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (look < SPINS) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(
                        Math.min(left, Math.min((look - SPINS + 1) * SHORTEST_PAUSE_NANOS, LONGEST_PAUSE_NANOS)));
            }
        }
    }

    /// Starts to take completions one by one. The batch holds the queue's lock and must be closed, by the same thread.
    ///
    /// @return the same object each time
    /// @throws IllegalStateException if the queue is closed, or this thread is in a batch of it already
    public CompletionBatch beginPoll() {
        requireOpen(); // before the lock: a thread that polls without pause must let a close through
        lock.lock();
        try {
            requireOpen();
            if (forgotten.get() != null) {
                forgetNow();
            }
            batch.begin();
        } catch (RuntimeException | Error e) {
            lock.unlock();
            throw e;
        }
        return batch;
    }

    /// Arms the queue: the next completion raises one event on its channel. Completions that wait already raise none, so
    /// poll again after this and before waiting; [#await] does all of that.
    ///
    /// @param solicitedOnly whether only receives of solicited messages count; failed completions do not count then on rxe
    /// @throws io.verbs4j.types.NotSupportedException if the device raises no event for solicited messages alone, as siw does not
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_req_notify_cq.3.html">ibv_req_notify_cq(3)</a>
    public void requestNotification(boolean solicitedOnly) {
        requireChannel();
        whileOpen(() -> provider.requestNotification(solicitedOnly));
    }

    /// Waits until at least one completion was handed over: polls, and if there is none arms the queue, polls again, and
    /// sleeps until its channel has an event. No completion is lost in between. Many threads may wait for the same queue: each event wakes
    /// all of them, and who finds nothing sleeps again.
    ///
    /// @param max at least 1
    /// @param timeout the longest wait
    /// @return how many were handed over; 0 after the timeout
    /// @throws InterruptedException if the thread is interrupted while it waits
    /// @throws IllegalStateException if the queue has no channel, or is closed in that time
    public int await(int max, CompletionHandler handler, Duration timeout) throws InterruptedException {
        CompletionChannel events = requireChannel();
        Deadline deadline = Deadline.after(timeout);
        while (true) {
            int count = poll(max, handler);
            if (count > 0) {
                return count;
            }
            long before = announcements.get();
            requestNotification(false);
            count = poll(max, handler);
            if (count > 0) {
                return count;
            }
            if (!events.awaitEvent(this, before, deadline)) {
                return poll(max, handler);
            }
        }
    }

    /// Makes the queue larger or smaller; completions that wait are kept.
    ///
    /// @param entries at least as many as wait now
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_resize_cq.3.html">ibv_resize_cq(3)</a>
    public void resize(int entries) {
        context.require(Feature.RESIZE_COMPLETION_QUEUE);
        Ranges.check("entries", entries, 1, context.attributes().maxCompletionQueueEntries());
        stopDataPath();
        try {
            lock.requireIdle();
            whileOpen(() -> provider.resize(entries));
        } finally {
            resumeDataPath();
        }
    }

    /// Looks at the ring without touching it, from any thread, also while others use the queue. Costs who uses it nothing.
    ///
    /// @return empty if the provider does not show its rings
    /// @throws IllegalStateException if the queue is closed
    public Optional<RingReading> readRing() {
        return whileOpen(() -> Optional.ofNullable(provider.readRing()));
    }

    private CompletionChannel requireChannel() {
        if (channel == null) {
            throw new IllegalStateException(
                    this + " has no completion channel: create it with CompletionQueueOptions.withChannel");
        }
        return channel;
    }

    /// Drops completions of a queue pair that is destroyed or reset, where the device needs that: now, or if another thread
    /// uses the queue, as soon as it has done so. Never waits, because the caller may be in a batch of another queue, and whoever
    /// is in a batch of this one may be about to do the same there.
    void forget(Forgotten one) {
        if (one.waiting.compareAndSet(false, true)) {
            do {
                one.next = forgotten.get();
            } while (!forgotten.compareAndSet(one.next, one));
        }
        forgetIfIdle();
    }

    private void forgetIfIdle() {
        while (lock.isLocking() && forgotten.get() != null && lock.tryLock()) {
            try {
                forgetNow();
            } finally {
                lock.unlock();
            }
        }
    }

    /// The caller has the queue.
    private void forgetNow() {
        for (Forgotten one = forgotten.getAndSet(null); one != null;) {
            Forgotten next = one.next;
            one.waiting.set(false); // from here on it may be in the list again
            if (isUsable()) {
                provider.forget(one.queuePair);
            }
            one = next;
        }
    }

    /// Releases the queue.
    void endBatch() {
        lock.unlock();
        if (forgotten.get() != null) {
            forgetIfIdle();
        }
    }

    /// The channel has brought an event.
    void announce() {
        provider.eventTaken();
        announcements.incrementAndGet();
    }

    /// Number of events that the channel has brought.
    long announcements() {
        return announcements.get();
    }

    ProviderCompletionQueue provider() {
        return provider;
    }

    long userHandle() {
        return userHandle;
    }

    @Override
    void requireNoBatchHere() {
        lock.requireNotHere();
    }

    /// Waits for the batch of another thread by its lock. Without a lock such a batch loses its ring and throws.
    @Override
    void stopDataPath() {
        lock.lockFor(this);
    }

    @Override
    void resumeDataPath() {
        endBatch();
    }

    @Override
    ClosingOrder closingOrder() {
        return ClosingOrder.COMPLETION_QUEUE;
    }

    @Override
    void destroy() {
        provider.destroy();
        context.handles().remove(userHandle);
        if (channel != null) {
            channel.forget(leaving);
        }
    }

    @Override
    public String toString() {
        return "completion queue " + provider.handle();
    }
}
