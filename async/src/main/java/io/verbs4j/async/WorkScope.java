// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.async;

import io.verbs4j.CompletionHandler;
import io.verbs4j.CompletionRecord;
import io.verbs4j.QueuePair;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.types.Ranges;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A group of work with a common end: [#close()] waits until all of the work has completed. Neither a cancelled future
/// nor a timeout ends the work in the device, so the close waits for such work, too. After the close, no buffer of the
/// scope is in use.
///
/// ```java
/// try (var scope = queuePair.open(); var lease = pool.lease()) {
///     var answer = scope.post(new SendWorkRequest().read().remote(remote), lease, 4096)
///             .orTimeout(1, TimeUnit.SECONDS);
///     …
/// }
/// ```
///
/// Each operation has two forms:
///
/// - With a handler, the operation allocates nothing. The handler runs in the polling thread under the queue's lock. It
///   may post work, but must not wait. It must check the status of the completion.
/// - With a future, the future's dependent actions run in the polling thread without the lock. Start long actions with
///   `thenApplyAsync`. A failed future contains a [WorkFailedException]. If the device is removed, or the program
///   closes the queue pair before the asynchronous queue pair, the future is cancelled.
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

    /// Posts work whose local memory is the beginning of a lease.
    ///
    /// @param request the operation, its remote memory and its modifiers. The scope sets the identifier, and requests a
    ///     completion
    /// @param length number of bytes, at most the lease's length
    /// @throws IllegalArgumentException if the operation takes no local memory
    /// @throws IllegalStateException if the send queue is full, the dispatcher's maximum number of work requests is
    ///     outstanding, the scope or its asynchronous queue pair is closed, or the queue pair is not ready to send
    public void post(SendWorkRequest request, Lease lease, int length, CompletionHandler handler) {
        begin(request, lease, length, handler);
    }

    /// Posts work whose local memory is the beginning of a lease.
    ///
    /// @see #post(SendWorkRequest, Lease, int, CompletionHandler)
    public CompletableFuture<CompletionRecord> post(SendWorkRequest request, Lease lease, int length) {
        var completion = new FutureCompletion(dispatcher);
        post(request, lease, length, completion);
        return completion.future();
    }

    /// Receives the next message into a lease. A receive ends only with a message, or with the queue pair.
    ///
    /// @throws IllegalStateException if the receive queue is full, the dispatcher's maximum number of work requests is
    ///     outstanding, or the scope or its asynchronous queue pair is closed
    public void receive(Lease lease, CompletionHandler handler) {
        begin(null, lease, lease.length(), handler);
    }

    /// Receives the next message into a lease.
    ///
    /// @see #receive(Lease, CompletionHandler)
    public CompletableFuture<CompletionRecord> receive(Lease lease) {
        var completion = new FutureCompletion(dispatcher);
        receive(lease, completion);
        return completion.future();
    }

    /// @param request null for a receive
    private void begin(@Nullable SendWorkRequest request, Lease lease, int length, CompletionHandler handler) {
        Ranges.check("length", length, 0, lease.length());
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
            if (closed) { // checked after the work is counted: either a close waits for the work, or the work fails
                throw new IllegalStateException("the scope of " + owner + " is closed");
            }
            owner.requireOpen();
            if (request == null) {
                try (var batch = queuePair.beginReceive()) {
                    if (batch.workRequestId(id).receive(lease.region(), lease.offset(), length)) {
                        batch.submit();
                        posted = true;
                    }
                }
            } else {
                try (var batch = queuePair.beginSend()) {
                    batch.like(request).local(lease.region(), lease.offset(), length).signaled().workRequestId(id);
                    posted = batch.post();
                    if (posted) {
                        batch.submit(); // if it fails, the device processes the work after the next doorbell
                    }
                }
            }
        } finally {
            if (!posted) {
                dispatcher.retract(operation, id);
            }
        }
        dispatcher.endIfFailed();
        if (!posted) {
            throw new IllegalStateException(
                    (request == null ? "the receive queue of " : "the send queue of ") + queuePair + " is full");
        }
    }

    AsyncQueuePair owner() {
        return owner;
    }

    /// Records that one work request has ended.
    void ended() {
        pending.end();
        owner.pending().end();
    }

    /// Returns the number of the scope's outstanding work requests.
    public int inFlight() {
        return pending.count();
    }

    /// Waits until none of the scope's work is outstanding.
    ///
    /// @return false after the timeout
    /// @throws IllegalStateException if called by the dispatcher's thread
    public boolean awaitIdle(Duration timeout) {
        requireElsewhere();
        return pending.await(dispatcher, TimeUnit.NANOSECONDS.convert(timeout));
    }

    /// Refuses more work, and waits until no work is outstanding. A receive ends only with a message, or with the queue
    /// pair ([AsyncQueuePair#close()]). Idempotent.
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
