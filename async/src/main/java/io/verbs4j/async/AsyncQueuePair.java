// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.async;

import io.verbs4j.QueuePair;
import io.verbs4j.types.DeviceGoneException;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.VerbsException;

/// A queue pair whose completions a dispatcher handles. Programs post work in scopes ([#open()]).
///
/// An asynchronous queue pair does not own its queue pair. Close the asynchronous queue pair first, then the queue pair
/// or its connection. Thread-safe.
public final class AsyncQueuePair implements AutoCloseable {
    private final Dispatcher dispatcher;
    private final QueuePair queuePair;
    /// The outstanding work of all scopes.
    private final Pending pending = new Pending();
    private volatile boolean closed;

    private AsyncQueuePair(Dispatcher dispatcher, QueuePair queuePair) {
        this.dispatcher = dispatcher;
        this.queuePair = queuePair;
    }

    /// Creates an asynchronous queue pair.
    ///
    /// @param dispatcher the dispatcher of the completion queue
    /// @param queuePair a queue pair whose sends and receives all complete in the dispatcher's queue
    public static AsyncQueuePair of(Dispatcher dispatcher, QueuePair queuePair) {
        return new AsyncQueuePair(dispatcher, queuePair);
    }

    /// Opens a scope for work.
    ///
    /// @throws IllegalStateException if the asynchronous queue pair is closed
    public WorkScope open() {
        requireOpen();
        return new WorkScope(this);
    }

    void requireOpen() {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
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

    /// Refuses more work, also in open scopes, and ends the outstanding work. For this, it moves the queue pair to ERR,
    /// where the work completes as flushed, and waits for the completions. If the queue pair is already closed or its
    /// device was removed, the work ends at once: futures are cancelled, and handlers are not called. Idempotent.
    ///
    /// @throws IllegalStateException if called by the dispatcher's thread, or while another thread closes the queue
    ///     pair
    /// @throws VerbsException if the kernel refuses. The work remains outstanding, because the device may still use its
    ///     memory. The close can be repeated
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
            if (!queuePair.isClosed() && !(e instanceof DeviceGoneException)) {
                throw e;
            }
            dispatcher.abandon(this);
        }
        pending.await(dispatcher, Long.MAX_VALUE);
    }

    @Override
    public String toString() {
        return "asynchronous " + queuePair;
    }
}
