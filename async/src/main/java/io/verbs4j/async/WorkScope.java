// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.async;

import io.verbs4j.CompletionHandler;
import io.verbs4j.CompletionRecord;
import io.verbs4j.QueuePair;
import io.verbs4j.RemoteMemory;
import io.verbs4j.types.Ranges;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// Work that ends together: [#close()] waits until all of it has completed, also what a program has cancelled or given up after a
/// timeout, because the device does not know of that. After it no buffer of the scope is in use.
///
/// ```java
/// try (var scope = queuePair.open(); var lease = pool.lease()) {
///     var answer = scope.read(lease, 4096, remote).orTimeout(1, TimeUnit.SECONDS);
///     …
/// }
/// ```
///
/// Each operation exists twice. With a handler it allocates nothing: the handler runs in the polling thread under the queue's lock and may
/// post, but not wait. With a future, what depends on it runs in the polling thread without the lock; what takes long belongs into
/// `thenApplyAsync`. A future fails by a [WorkFailedException]; a handler looks at the status itself.
///
/// Thread-safe, except that one thread at a time may wait in [#awaitIdle] or [#close()].
public final class WorkScope implements AutoCloseable {
    private final AsyncQueuePair owner;
    private final QueuePair queuePair;
    private final Dispatcher dispatcher;
    private final Pending pending = new Pending();
    private volatile boolean closed;

    WorkScope(AsyncQueuePair owner) {
        this.owner = owner;
        this.queuePair = owner.queuePair();
        this.dispatcher = owner.dispatcher();
    }

    /// Sends the beginning of a lease.
    ///
    /// @param length in bytes
    /// @throws IllegalStateException if the send queue is full, the scope is closed, or the queue pair is not ready to send
    public void send(Lease lease, int length, CompletionHandler handler) {
        post(Kind.SEND, lease, length, 0, null, handler);
    }

    /// Sends the beginning of a lease.
    ///
    /// @see #send(Lease, int, CompletionHandler)
    public CompletableFuture<CompletionRecord> send(Lease lease, int length) {
        return future(Kind.SEND, lease, length, 0, null);
    }

    /// Sends the beginning of a lease, with immediate data.
    ///
    /// @see #send(Lease, int, CompletionHandler)
    public void sendWithImmediate(int immediateData, Lease lease, int length, CompletionHandler handler) {
        post(Kind.SEND_WITH_IMMEDIATE, lease, length, immediateData, null, handler);
    }

    /// Sends the beginning of a lease, with immediate data.
    ///
    /// @see #send(Lease, int, CompletionHandler)
    public CompletableFuture<CompletionRecord> sendWithImmediate(int immediateData, Lease lease, int length) {
        return future(Kind.SEND_WITH_IMMEDIATE, lease, length, immediateData, null);
    }

    /// Writes the beginning of a lease to the peer's memory.
    ///
    /// @see #send(Lease, int, CompletionHandler)
    public void write(Lease lease, int length, RemoteMemory remote, CompletionHandler handler) {
        post(Kind.WRITE, lease, length, 0, remote, handler);
    }

    /// Writes the beginning of a lease to the peer's memory.
    ///
    /// @see #send(Lease, int, CompletionHandler)
    public CompletableFuture<CompletionRecord> write(Lease lease, int length, RemoteMemory remote) {
        return future(Kind.WRITE, lease, length, 0, remote);
    }

    /// Reads from the peer's memory into the beginning of a lease.
    ///
    /// @see #send(Lease, int, CompletionHandler)
    public void read(Lease lease, int length, RemoteMemory remote, CompletionHandler handler) {
        post(Kind.READ, lease, length, 0, remote, handler);
    }

    /// Reads from the peer's memory into the beginning of a lease.
    ///
    /// @see #send(Lease, int, CompletionHandler)
    public CompletableFuture<CompletionRecord> read(Lease lease, int length, RemoteMemory remote) {
        return future(Kind.READ, lease, length, 0, remote);
    }

    /// Receives a message into a lease, when it comes. Nothing ends a receive but a message and the end of the queue pair.
    ///
    /// @throws IllegalStateException if the receive queue is full, or the scope is closed
    public void receive(Lease lease, CompletionHandler handler) {
        post(Kind.RECEIVE, lease, lease.length(), 0, null, handler);
    }

    /// Receives a message into a lease, when it comes.
    ///
    /// @see #receive(Lease, CompletionHandler)
    public CompletableFuture<CompletionRecord> receive(Lease lease) {
        return future(Kind.RECEIVE, lease, lease.length(), 0, null);
    }

    private enum Kind {
        SEND, SEND_WITH_IMMEDIATE, WRITE, READ, RECEIVE
    }

    private CompletableFuture<CompletionRecord> future(
            Kind kind, Lease lease, int length, int immediateData, @Nullable RemoteMemory remote) {
        var completion = new FutureCompletion(dispatcher);
        post(kind, lease, length, immediateData, remote, completion);
        return completion.future();
    }

    private void post(
            Kind kind,
            Lease lease,
            int length,
            int immediateData,
            @Nullable RemoteMemory remote,
            CompletionHandler handler) {
        Ranges.check("length", length, 0, lease.length());
        if (closed) {
            throw new IllegalStateException("the scope of " + owner + " is closed");
        }
        Slab slab = lease.pin();
        Operation operation;
        try {
            operation = dispatcher.begin(this, slab, handler);
        } catch (RuntimeException e) {
            slab.unpin();
            throw e;
        }
        owner.pending().begin();
        pending.begin();
        long id = operation.begin();
        boolean posted = false;
        try {
            posted = kind == Kind.RECEIVE
                    ? postReceive(lease, length, id)
                    : postSend(kind, lease, length, immediateData, remote, id);
        } catch (PostedException e) {
            posted = true; // only the doorbell failed
            throw e.getCause();
        } finally {
            if (!posted) {
                dispatcher.retract(operation, id);
            }
        }
        dispatcher.endIfFailed();
        if (!posted) {
            throw new IllegalStateException(
                    (kind == Kind.RECEIVE ? "the receive queue of " : "the send queue of ") + queuePair + " is full");
        }
    }

    private boolean postReceive(Lease lease, int length, long id) {
        try (var batch = queuePair.beginReceive()) {
            if (!batch.workRequestId(id).receive(lease.region(), lease.offset(), length)) {
                return false;
            }
            batch.submit();
            return true;
        }
    }

    private boolean postSend(
            Kind kind,
            Lease lease,
            int length,
            int immediateData,
            @Nullable RemoteMemory remote,
            long id) {
        try (var batch = queuePair.beginSend()) {
            batch.signaled().workRequestId(id);
            boolean added = switch (kind) {
                case SEND -> batch.send(lease.region(), lease.offset(), length);
                case SEND_WITH_IMMEDIATE ->
                    batch.sendWithImmediate(immediateData, lease.region(), lease.offset(), length);
                case WRITE -> batch.rdmaWrite(lease.region(), lease.offset(), length, required(remote), 0);
                case READ -> batch.rdmaRead(lease.region(), lease.offset(), length, required(remote), 0);
                case RECEIVE -> throw new AssertionError("a receive is no send");
            };
            if (added) {
                try {
                    batch.submit();
                } catch (RuntimeException e) {
                    throw new PostedException(e);
                }
            }
            return added;
        }
    }

    private static RemoteMemory required(@Nullable RemoteMemory remote) {
        return Objects.requireNonNull(remote, "remote");
    }

    /// The doorbell of work that is in the ring failed: the device will come to it.
    private static final class PostedException extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final transient RuntimeException failure;

        PostedException(RuntimeException failure) {
            super(failure);
            this.failure = failure;
        }

        @Override
        public synchronized RuntimeException getCause() {
            return failure;
        }
    }

    AsyncQueuePair owner() {
        return owner;
    }

    /// A piece of its work has ended.
    void ended() {
        pending.end();
        owner.pending().end();
    }

    /// Returns how much of its work is under way.
    public int underWay() {
        return pending.count();
    }

    /// Waits until none of its work is under way.
    ///
    /// @return false after the timeout
    public boolean awaitIdle(Duration timeout) {
        requireElsewhere();
        return pending.await(dispatcher, timeout.toNanos());
    }

    /// Takes no more work, and waits until none is under way. Receives end only by a message or with the queue pair
    /// ([AsyncQueuePair#close()]). Any number of times.
    ///
    /// @throws IllegalStateException if called by the dispatcher's thread
    @Override
    public void close() {
        requireElsewhere();
        closed = true;
        pending.await(dispatcher, Long.MAX_VALUE);
    }

    private void requireElsewhere() {
        if (dispatcher.isHere()) {
            throw new IllegalStateException(
                    "a handler cannot wait for the scope of " + owner + ": it would wait for itself");
        }
    }
}
