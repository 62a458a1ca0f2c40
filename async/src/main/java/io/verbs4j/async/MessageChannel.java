// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.async;

import io.verbs4j.CompletionHandler;
import io.verbs4j.QueuePair;
import io.verbs4j.WorkCompletion;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.Errno;
import io.verbs4j.types.Ranges;
import io.verbs4j.types.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Messages over a connection, never more under way than the peer has receives for: each end has as many credits as the other has free
/// buffers, spends one for a message, and gets it back when the other end has closed the message. So no message meets a receive queue
/// that is empty, and a slow reader holds up its own peer only.
///
/// Credits travel as the immediate data of messages; an end that has nothing to send grants them by an empty message once half of its
/// buffers are free again. Both ends must have the same window.
///
/// Make it before the connection stands, so that its receives wait when the first message comes: where endpoints are exchanged by
/// hand, before `connect`; with the connection manager, in `ConnectionOptions.withPreparation`.
///
/// Thread-safe, and fit for virtual threads. Sending and receiving allocate nothing as long as nobody has to wait.
public final class MessageChannel implements AutoCloseable {
    /// Buffers for empty messages: two can be under way, because each stands for half a window that was consumed, and a third while the
    /// receive of the first is posted again.
    private static final int SPARE = 3;
    /// Sends that are kept free for empty messages.
    private static final int SPARE_SENDS = 4;
    /// Set in the immediate data of an empty message; below, the number of credits.
    private static final int EMPTY = 1 << 31;

    private final AsyncQueuePair queuePair;
    private final WorkScope scope;
    private final SlabPool pool;
    private final int window;
    private final List<Message> buffers = new ArrayList<>();
    private final ArrayBlockingQueue<Message> inbox;
    private final Message end;
    private final Semaphore credits;
    private final Semaphore sends;
    /// Buffers that were freed, and of which the peer does not know.
    private final AtomicInteger granting = new AtomicInteger();
    private final Lease empty;
    private final CompletionHandler sent = this::sent;
    private final CompletionHandler granted = this::granted;
    private volatile @Nullable CompletionStatus failure;

    private MessageChannel(AsyncQueuePair queuePair, SlabPool pool, int window, List<Lease> leases) {
        this.queuePair = queuePair;
        this.pool = pool;
        this.window = window;
        this.empty = leases.removeLast();
        this.end = new Message(this, empty);
        this.inbox = new ArrayBlockingQueue<>(window + SPARE + 1);
        this.credits = new Semaphore(window);
        this.sends = new Semaphore(queuePair.queuePair().capabilities().maxSendWorkRequests() - SPARE_SENDS);
        this.scope = queuePair.open();
        leases.forEach(lease -> buffers.add(new Message(this, lease)));
        buffers.forEach(buffer -> scope.receive(buffer.lease(), buffer));
    }

    /// Makes a channel, and posts its receives.
    ///
    /// @param queuePair at least in INIT, whose dispatcher polls; it must take `window + 3` receives and `window + 4` sends. The channel
    ///     closes it at the end
    /// @param pool where buffers come from: `window + 4` slabs for as long as the channel lives, and one for each message that is sent. A
    ///     slab is as long as the longest message
    /// @param window messages under way in each direction, 2 to 4096; the same at both ends
    /// @throws IllegalArgumentException if queue pair or pool are too small
    public static MessageChannel open(AsyncQueuePair queuePair, SlabPool pool, int window) {
        Ranges.check("window", window, 2, 1 << 12);
        var capabilities = queuePair.queuePair().capabilities();
        Ranges.check("receives of " + queuePair, capabilities.maxReceiveWorkRequests(), window + SPARE,
                Integer.MAX_VALUE);
        Ranges.check("sends of " + queuePair, capabilities.maxSendWorkRequests(), window + SPARE_SENDS,
                Integer.MAX_VALUE);
        var leases = new ArrayList<Lease>();
        try {
            for (int i = 0; i < window + SPARE + 1; i++) {
                Lease lease = pool.tryLease();
                if (lease == null) {
                    throw new IllegalArgumentException(
                            "window=" + window + " needs " + (window + SPARE + 1) + " slabs, and " + pool + " has "
                                    + leases.size() + " free");
                }
                leases.add(lease);
            }
            return new MessageChannel(queuePair, pool, window, new ArrayList<>(leases));
        } catch (RuntimeException e) {
            queuePair.close();
            leases.forEach(Lease::close);
            throw e;
        }
    }

    /// Lends a buffer to write a message into; waits for one if none is free.
    public Lease lease() throws InterruptedException {
        return pool.lease();
    }

    /// Sends the beginning of a lease; waits for a credit of the peer. Returns when the message is posted. The lease may be closed then:
    /// its memory is lent again when the message has arrived.
    ///
    /// @param length in bytes
    /// @throws VerbsException `ETIMEDOUT` if the peer reads nothing for that long, `ECONNRESET` if the connection has ended
    public void send(Lease lease, int length, Duration timeout) throws InterruptedException {
        requireSound();
        long deadline = System.nanoTime() + timeout.toNanos();
        if (!credits.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new VerbsException("send message", Errno.ETIMEDOUT,
                    "the peer closes none of the " + window + " messages under way");
        }
        if (!sends.tryAcquire(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS)) {
            credits.release();
            throw new VerbsException("send message", Errno.ETIMEDOUT, "none of the messages under way arrives");
        }
        post(lease, length);
    }

    /// Sends the beginning of a lease, if the peer has a buffer for it.
    ///
    /// @return whether it was posted
    /// @throws VerbsException `ECONNRESET` if the connection has ended
    public boolean trySend(Lease lease, int length) {
        requireSound();
        if (!credits.tryAcquire()) {
            return false;
        }
        if (!sends.tryAcquire()) {
            credits.release();
            return false;
        }
        post(lease, length);
        return true;
    }

    private void post(Lease lease, int length) {
        int credit = granting.getAndSet(0);
        boolean posted = false;
        try {
            requireSound();
            scope.sendWithImmediate(credit, lease, length, sent);
            posted = true;
        } finally {
            if (!posted) {
                granting.addAndGet(credit);
                credits.release();
                sends.release();
            }
        }
    }

    private void sent(WorkCompletion completion) {
        sends.release();
        if (!completion.isSuccess()) {
            fail(completion.status());
        }
    }

    /// Takes a message if one is there.
    ///
    /// @return null if none is; the caller closes it
    /// @throws VerbsException `ECONNRESET` if the connection has ended, and all messages that came before were taken
    public @Nullable Message tryReceive() {
        return taken(inbox.poll());
    }

    /// Waits for a message.
    ///
    /// @return null after the timeout; the caller closes it
    /// @throws VerbsException `ECONNRESET` if the connection has ended, and all messages that came before were taken
    public @Nullable Message receive(Duration timeout) throws InterruptedException {
        return taken(inbox.poll(timeout.toNanos(), TimeUnit.NANOSECONDS));
    }

    @SuppressWarnings("ReferenceEquality") // the mark of the end is one object
    private @Nullable Message taken(@Nullable Message message) {
        if (message == end) {
            inbox.add(end); // for the next one
            requireSound();
        }
        return message;
    }

    void received(Message message, WorkCompletion completion) {
        if (!completion.isSuccess()) {
            fail(completion.status());
            return;
        }
        int immediate = completion.immediateData();
        int credit = immediate & ~EMPTY;
        if (credit > 0) {
            credits.release(credit);
        }
        if ((immediate & EMPTY) != 0) {
            receiveAgain(message);
        } else {
            message.hold();
            inbox.add(message);
        }
    }

    /// The program has closed a message.
    void consumed(Message message) {
        if (failure != null || !receiveAgain(message)) {
            return;
        }
        if (granting.incrementAndGet() >= (window + 1) / 2) {
            grant();
        }
    }

    private boolean receiveAgain(Message message) {
        try {
            scope.receive(message.lease(), message);
            return true;
        } catch (IllegalStateException e) {
            return false; // the channel is being closed
        }
    }

    /// Sends the credits that no message has carried.
    private void grant() {
        int credit = granting.getAndSet(0);
        if (credit == 0) {
            return;
        }
        try {
            scope.sendWithImmediate(EMPTY | credit, empty, 0, granted);
        } catch (IllegalStateException e) {
            granting.addAndGet(credit); // the next message carries them, or the completion of a send tries again
        }
    }

    private void granted(WorkCompletion completion) {
        if (!completion.isSuccess()) {
            fail(completion.status());
        } else if (granting.get() >= (window + 1) / 2) {
            grant();
        }
    }

    private synchronized void fail(CompletionStatus status) {
        if (failure == null) {
            failure = status;
            inbox.add(end);
            credits.release(window); // whoever waits finds out
        }
    }

    private void requireSound() {
        CompletionStatus status = failure;
        if (status != null) {
            throw new VerbsException(
                    "exchange messages over " + queuePair,
                    Errno.ECONNRESET,
                    status.equals(CompletionStatus.WORK_REQUEST_FLUSHED)
                            ? "the connection has ended"
                            : "a work request failed: " + status);
        }
    }

    /// Returns how many messages can be sent at once, as far as this end knows.
    public int credits() {
        return credits.availablePermits();
    }

    /// Returns the queue pair.
    public QueuePair queuePair() {
        return queuePair.queuePair();
    }

    /// Ends all work of the queue pair, as [AsyncQueuePair#close()] does, and gives the buffers back. Messages that were not
    /// closed are gone. Any number of times.
    @Override
    public void close() {
        queuePair.close();
        scope.close();
        fail(CompletionStatus.WORK_REQUEST_FLUSHED);
        inbox.clear();
        inbox.add(end);
        buffers.forEach(buffer -> buffer.lease().close());
        empty.close();
    }

    @Override
    public String toString() {
        return "messages over " + queuePair;
    }
}
