// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.async;

import io.verbs4j.QueuePair;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.VerbsException;

/// A queue pair whose work a dispatcher completes. Work is posted in scopes: [#open()].
///
/// It does not own the queue pair. Close it first, then the queue pair or connection.
public final class AsyncQueuePair implements AutoCloseable {
    private final Dispatcher dispatcher;
    private final QueuePair queuePair;
    /// All of its outstanding work, in any scope.
    private final Pending pending = new Pending();
    private volatile boolean closed;

    private AsyncQueuePair(Dispatcher dispatcher, QueuePair queuePair) {
        this.dispatcher = dispatcher;
        this.queuePair = queuePair;
    }

    /// Creates an asynchronous queue pair.
    ///
    /// @param dispatcher the dispatcher of the queue on which both its sends and its receives complete
    public static AsyncQueuePair of(Dispatcher dispatcher, QueuePair queuePair) {
        return new AsyncQueuePair(dispatcher, queuePair);
    }

    /// Opens a scope for work.
    ///
    /// @throws IllegalStateException if this is closed
    public WorkScope open() {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
        return new WorkScope(this);
    }

    /// Returns the queue pair.
    public QueuePair queuePair() {
        return queuePair;
    }

    Dispatcher dispatcher() {
        return dispatcher;
    }

    Pending pending() {
        return pending;
    }

    /// Ends all work: moves the queue pair to ERR, where outstanding work completes as flushed, and waits for these
    /// completions. If the queue pair is already closed, its work ends at once, because the device does not continue
    /// it. Idempotent.
    ///
    /// @throws IllegalStateException if called by the dispatcher's thread
    @Override
    public void close() {
        if (dispatcher.isHere()) {
            throw new IllegalStateException(this + " cannot be closed by a handler: it would wait for itself");
        }
        closed = true;
        if (pending.isIdle()) {
            return;
        }
        try {
            queuePair.modify(QueuePairAttributes.builder().state(QueuePairState.ERR).build());
        } catch (IllegalStateException | VerbsException e) {
            // Closed, or its device was removed.
            dispatcher.abandon(this);
        }
        pending.await(dispatcher, Long.MAX_VALUE);
    }

    @Override
    public String toString() {
        return "asynchronous " + queuePair;
    }
}
