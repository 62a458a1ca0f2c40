// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.abi.device.Deadline;
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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Holds the completions of work requests.
///
/// Polling makes no system call and allocates nothing. Thread-safe, unless the queue was created
/// [single-threaded][CompletionQueueOptions#withSingleThread()].
///
/// A queue that overflows loses completions permanently. The capacity must cover the outstanding work of all queue
/// pairs that use the queue.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/ibv_create_cq.3.html">ibv_create_cq(3)</a>
/// @see <a href="https://man7.org/linux/man-pages/man3/ibv_poll_cq.3.html">ibv_poll_cq(3)</a>
public final class CompletionQueue extends VerbsObject {
    /// Number of polls of an empty queue before a thread pauses.
    private static final int SPINS = 1000;
    private static final long SHORTEST_PAUSE_NANOS = 10_000;
    private static final long MAX_PAUSE_NANOS = 1_000_000;

    private final Context context;
    private final ProviderCompletionQueue provider;
    private final @Nullable CompletionChannel channel;
    private final long userHandle;
    /// Removes the closed queue's events from the pending events of the channel.
    private final Runnable leaving;
    /// Takes the queue's events from the channel. Never used without a channel.
    private final EventReader.Source<CompletionQueue> events;
    /// Number of events that arrived and were not taken. Guarded by the lock of the channel's reader.
    int pendingEvents;
    private final Supplier<CompletionQueue> arming;
    private final Supplier<CompletionQueue> armingForSolicited;
    private final BatchLock lock;
    private final CompletionBatch batch;
    /// Number of events that the channel has delivered, for threads that sleep until the next one.
    private final AtomicLong announcements = new AtomicLong();
    /// Destroyed or reset queue pairs. The next thread that uses the queue drops their completions.
    private final AtomicReference<@Nullable Forgotten> forgotten = new AtomicReference<>();

    /// Created with each queue pair, since a close must not need heap.
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
        this.events = channel == null ? _ -> null : channel.eventsOf(this);
        this.arming = arming(false);
        this.armingForSolicited = arming(true);
        this.lock = new BatchLock("batch of completions of " + this, !options.singleThreaded());
        this.batch = new CompletionBatch(this, provider, lock);
        if (channel != null) {
            provider.onOwnCompletions(channel.announcing(this));
        }
        context.handles().put(userHandle, this);
    }

    /// Created together with the queue, so that arming allocates nothing.
    private Supplier<CompletionQueue> arming(boolean solicitedOnly) {
        return () -> {
            provider.requestNotification(solicitedOnly);
            return this;
        };
    }

    /// Returns the context that the queue was created from.
    public Context context() {
        return context;
    }

    /// Returns the number of completions that the queue can hold. It may be higher than the requested number.
    public int capacity() {
        return provider.capacity();
    }

    /// Returns the channel on which the queue announces completions, or null.
    public @Nullable CompletionChannel channel() {
        return channel;
    }

    /// Passes up to `max` completions to `handler`, without waiting.
    ///
    /// If the handler throws, the exception propagates, and the completion that the handler got counts as handled. The
    /// call returns slots to the device in groups of up to 16, before the handler gets the first completion of a group.
    ///
    /// @param max at least 1
    /// @return the number of completions that were passed to the handler
    /// @throws IllegalStateException if the queue is closed, or another thread is closing it
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
                    lock.abandonedBy = here; // the stack may have no room for a call
                }
            }
        }
    }

    /// Polls until at least one completion has been passed to `handler`, or the timeout has passed. Needs no channel:
    /// the thread polls repeatedly, at first without pauses, then with growing pauses of up to a millisecond. For a
    /// queue with a channel, [#await(int, CompletionHandler, Duration)] uses no processor time while it waits.
    ///
    /// @param max at least 1
    /// @param timeout the longest wait; 0 polls once
    /// @return the number of completions that were passed to the handler; 0 after the timeout
    /// @throws InterruptedException if the thread is interrupted while it waits
    /// @throws IllegalStateException if the queue is closed, before or during the wait
    public int poll(int max, CompletionHandler handler, Duration timeout) throws InterruptedException {
        long deadline = Deadline.after(timeout);
        for (int look = 0; true; look++) {
            int count = poll(max, handler);
            if (count > 0) {
                return count;
            }
            long left = Deadline.left(deadline);
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
                        Math.min(left, Math.min((look - SPINS + 1) * SHORTEST_PAUSE_NANOS, MAX_PAUSE_NANOS)));
            }
        }
    }

    /// Starts a batch that takes completions one by one. The batch holds the queue's lock. This thread must close the
    /// batch.
    ///
    /// @return the same object each time
    /// @throws IllegalStateException if the queue is closed, or this thread already has a batch of the queue open
    public CompletionBatch beginPoll() {
        requireOpen(); // before the lock, so that a thread that polls without pauses cannot starve a close
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

    /// Arms the queue: the next completion raises one event on the queue's channel. Completions that are already in the
    /// queue raise no event. Therefore, poll after arming and before waiting for the event. [#await] does all of this.
    ///
    /// @param solicitedOnly true if only receives of solicited messages raise an event; on rxe, failed work requests
    ///     then raise no event either
    /// @throws io.verbs4j.types.NotSupportedException if the device, such as siw, cannot restrict events to solicited
    ///     messages
    /// @throws IllegalStateException if the queue has no channel, or is closed
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_req_notify_cq.3.html">ibv_req_notify_cq(3)</a>
    public void requestNotification(boolean solicitedOnly) {
        requireChannel();
        whileOpen(solicitedOnly ? armingForSolicited : arming);
    }

    /// Waits until at least one completion has been passed to `handler`. The call polls, arms the queue if it is empty,
    /// polls again, and sleeps until the channel delivers an event. Therefore, it misses no completion. Many threads
    /// may wait for the same queue. Each event wakes all of them, and the threads that find no completion sleep again.
    ///
    /// @param max at least 1
    /// @param timeout the longest wait; a year or more means no limit
    /// @return the number of completions that were passed to the handler; 0 after the timeout
    /// @throws InterruptedException if the thread is interrupted while it waits
    /// @throws IllegalStateException if the queue has no channel, or is closed before or during the wait
    public int await(int max, CompletionHandler handler, Duration timeout) throws InterruptedException {
        return awaitUntil(max, handler, Deadline.after(timeout));
    }

    /// Waits until a deadline, as [#await(int, CompletionHandler, Duration)] does until a timeout. Usually, this method
    /// reads the clock only if the wait ends without an event, because reading the clock is a system call on some
    /// machines. It reads the clock before the wait in a virtual thread, on a simulated device, or while another thread
    /// waits for events of the channel.
    ///
    /// @param max at least 1
    /// @param deadline the end of the wait, as a value of [System#nanoTime()]
    /// @return the number of completions that were passed to the handler; 0 after the deadline
    /// @throws InterruptedException if the thread is interrupted while it waits
    /// @throws IllegalStateException if the queue has no channel, or is closed before or during the wait
    public int awaitUntil(int max, CompletionHandler handler, long deadline) throws InterruptedException {
        CompletionChannel notifying = requireChannel();
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
            if (!notifying.awaitEvent(events, before, deadline)) {
                return poll(max, handler);
            }
        }
    }

    /// Changes the queue's capacity. The queue keeps its completions. Waits for batches of other threads, as [#close()]
    /// does.
    ///
    /// @param entries at least 1, and at least the number of completions in the queue; at most
    ///     [io.verbs4j.types.DeviceAttributes#maxCompletionQueueEntries()]
    /// @throws io.verbs4j.types.NotSupportedException if device or kernel do not support it
    ///     ([Feature#RESIZE_COMPLETION_QUEUE])
    /// @throws IllegalStateException if this thread has a batch of the queue open
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

    /// Reads the ring's state without changing it. Any thread may call this method; the call does not slow down threads
    /// that use the queue.
    ///
    /// @return empty if the provider does not expose its rings
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

    /// Drops the completions of a destroyed or reset queue pair, if the device needs that. If another thread uses the
    /// queue, that thread drops them when it has finished. This method never waits: two threads with batches of two
    /// queues could otherwise wait for each other.
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

    /// Drops the completions. The caller holds the queue.
    private void forgetNow() {
        for (Forgotten one = forgotten.getAndSet(null); one != null;) {
            Forgotten next = one.next;
            one.waiting.set(false); // from here on, it may be added to the list again
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

    /// Records an event that the channel delivered.
    void announce() {
        provider.eventTaken();
        announcements.incrementAndGet();
    }

    /// Returns the number of events that the channel has delivered.
    long announcements() {
        return announcements.get();
    }

    ProviderCompletionQueue provider() {
        return provider;
    }

    BatchLock lock() {
        return lock;
    }

    @Override
    void requireNoBatchHere() {
        lock.requireNotHere();
    }

    /// Waits for another thread's batch by taking its lock. Without a lock, such a batch loses its ring and throws.
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
    }

    @Override
    void closeEnded() {
        if (channel != null) {
            channel.closeEnded(leaving);
        }
    }

    @Override
    public String toString() {
        return "completion queue " + provider.handle();
    }
}
