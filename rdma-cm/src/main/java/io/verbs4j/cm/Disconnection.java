// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.QueuePair;
import io.verbs4j.abi.device.Deadline;
import io.verbs4j.types.RingReading;
import io.verbs4j.types.VerbsException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/// Ends a connection, started by either side.
final class Disconnection {
    /// Timeout for the peer's answer. If the peer's program has ended, the peer's kernel answers.
    private static final long ANSWER_SECONDS = 5;

    private static final long DRAIN_PAUSE_NANOS = 100_000;

    private final Identifier identifier;
    private final QueuePair queuePair;
    private final QueuePairTransitions transitions;
    private final CompletableFuture<Void> future = new CompletableFuture<>();
    private final ReentrantLock ending = new ReentrantLock();
    private boolean ended; // guarded by the lock

    Disconnection(Identifier identifier, QueuePair queuePair, QueuePairTransitions transitions) {
        this.identifier = identifier;
        this.queuePair = queuePair;
        this.transitions = transitions;
    }

    CompletableFuture<Void> future() {
        return future;
    }

    boolean isConnected() {
        return !future.isDone();
    }

    /// Handles an event of an established connection.
    void on(CmEvent event) {
        switch (event) {
            case CmEvent.Disconnected _ -> {
                end();
                transitions.ended();
                future.complete(null);
            }
            case CmEvent.DeviceRemoved _ -> {
                transitions.stop();
                future.complete(null);
                // The kernel removes the device only after this close.
                identifier.close();
            }
            default -> {
                // The connection continues, for example after a change of address or the end of time-wait.
            }
        }
    }

    /// Stops the queue pair, and sends or answers the disconnect request. Idempotent.
    void end() {
        ending.lock();
        try {
            if (ended) {
                return;
            }
            ended = true;
            transitions.stop();
            try {
                identifier.disconnect();
            } catch (VerbsException e) {
                // Already ended, or refused for another reason. Closing the identifier ends the connection; no answer
                // will arrive.
                closeIdentifier();
                future.complete(null);
            } catch (IllegalStateException e) {
                future.complete(null); // closed
            }
        } finally {
            ending.unlock();
        }
    }

    /// Ends the connection without waiting for the peer's answer. Idempotent.
    void abandon() {
        end();
        future.complete(null);
    }

    private void closeIdentifier() {
        try {
            identifier.close();
        } catch (VerbsException e) {
            // Closing the connection moves the queue pair again, and reports a failure.
        }
    }

    /// Ends the connection.
    ///
    /// @param deadline latest time to wait for outstanding sends
    void disconnect(long deadline) throws InterruptedException {
        if (future.isDone()) {
            return;
        }
        while (!future.isDone() && isSending() && Deadline.left(deadline) > 0) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            LockSupport.parkNanos(DRAIN_PAUSE_NANOS);
        }
        end();
        try {
            future.get(ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            future.complete(null);
        } catch (ExecutionException e) {
            throw new AssertionError("the future never fails", e);
        }
    }

    private boolean isSending() {
        try {
            Optional<RingReading> ring = queuePair.readSendRing();
            return ring.isPresent() && ring.get().producerIndex() != ring.get().consumerIndex();
        } catch (IllegalStateException e) {
            return false; // closed by another thread
        }
    }
}
