// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.valkey;

import io.verbs4j.WorkCompletion;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.VerbsException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Connects the protocol with the device: hands completions to the protocol, sends keep-alives, and detects a silent
/// server. A virtual thread does this, and so does each waiting thread. Thread-safe.
final class Engine {
    private static final int AT_ONCE = 64;
    private static final long NANOS_PER_YEAR = TimeUnit.DAYS.toNanos(365);

    private final RdmaConnection connection;
    private final ValkeyOptions options;
    private final Buffers buffers;
    private final ReentrantLock lock = new ReentrantLock();
    private final Protocol protocol; // guarded by the lock
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final Thread pump;
    private volatile boolean closed;
    /// Whether the queue pair has failed or was stopped. The connection then carries nothing more, even before it is
    /// closed.
    private volatile boolean flushed;

    Engine(RdmaConnection connection, Buffers buffers, ValkeyOptions options) {
        this.connection = connection;
        this.buffers = buffers;
        this.options = options;
        this.protocol = new Protocol(
                new QueuePairOutbox(connection.queuePair(), buffers), buffers.sendBuffer(), buffers.receiveBuffer());
        this.pump = Thread.ofVirtual().name("verbs4j Valkey " + connection).unstarted(this::pump);
    }

    /// Starts the exchange with the server.
    ///
    /// @return a future that completes when the server has announced its buffer, or will never announce one
    CompletableFuture<Void> start() {
        locked(protocol::start);
        pump.start();
        CompletableFuture<Void> _ = connection.disconnected().thenRun(this::disconnected);
        return ready;
    }

    /// Returns the protocol. The caller holds [the lock][#locked(Runnable)].
    Protocol protocol() {
        return protocol;
    }

    boolean isClosed() {
        return closed;
    }

    static long nanos(Duration duration) {
        return duration.compareTo(Duration.ofNanos(NANOS_PER_YEAR)) >= 0 ? NANOS_PER_YEAR : duration.toNanos();
    }

    /// Handles completions as they arrive, until the connection is closed or its device is gone.
    private void pump() {
        long keepAlive = nanos(options.keepAlive()) / Protocol.KEEP_ALIVE_CHECKS;
        long silence = options.silence().isZero() ? NANOS_PER_YEAR : nanos(options.silence());
        long now = System.nanoTime();
        long nextKeepAlive = now + keepAlive;
        long lastHeard = now;
        while (!closed) {
            try {
                long wait = Math.min(nextKeepAlive, lastHeard + silence) - now;
                connection.completionQueue().await(AT_ONCE, this::completed, Duration.ofNanos(Math.max(wait, 0)));
                now = System.nanoTime();
                lastHeard = lastHeard(lastHeard, now, silence);
                if (now - nextKeepAlive >= 0) {
                    locked(protocol::keepAlive);
                    nextKeepAlive = now + keepAlive;
                }
                settle();
                if (flushed || locked(protocol::hasFailed)) {
                    connection.disconnect(); // the server must not write to the receive buffer any more
                    return;
                }
            } catch (InterruptedException e) {
                // Interrupted by close().
            } catch (IllegalStateException | VerbsException e) {
                if (!closed) {
                    locked(() -> protocol.fail(() -> Failures.gone(e)));
                    settle();
                }
                return;
            }
        }
    }

    private long lastHeard(long before, long now, long silence) {
        lock.lock();
        try {
            if (protocol.heard()) {
                return now;
            }
            if (now - before >= silence) {
                protocol.fail(() -> Failures.silent(options.silence()));
            }
            return before;
        } finally {
            lock.unlock();
        }
    }

    void locked(Runnable action) {
        lock.lock();
        try {
            action.run();
        } finally {
            lock.unlock();
        }
    }

    <T extends @Nullable Object> T locked(Supplier<T> question) {
        lock.lock();
        try {
            return question.get();
        } finally {
            lock.unlock();
        }
    }

    /// Records that the connection has ended. Bytes that arrived before can still be read.
    private void disconnected() {
        int count;
        do {
            count = poll();
        } while (count > 0);
        locked(protocol::end);
        settle();
    }

    /// Polls the completion queue without waiting.
    ///
    /// @return the number of completions; 0 if there are no more
    int poll() {
        try {
            int count = connection.completionQueue().poll(AT_ONCE, this::completed);
            if (count > 0) {
                settle();
            }
            return count;
        } catch (IllegalStateException | VerbsException e) {
            // The connection is being closed, or its device is gone. The pump detects both.
            return 0;
        }
    }

    /// Handles a completion, under the completion queue's lock. No thread polls while it holds the connection's lock.
    private void completed(WorkCompletion completion) {
        lock.lock();
        try {
            if (!completion.isSuccess()) {
                CompletionStatus status = completion.status();
                if (status.equals(CompletionStatus.WORK_REQUEST_FLUSHED)) {
                    flushed = true;
                } else {
                    protocol.fail(() -> Failures.failed(status));
                }
            } else if (!completion.isReceive()) {
                protocol.sent(completion.workRequestId());
            } else if (!closed) {
                received(completion);
            }
        } finally {
            lock.unlock();
        }
    }

    private void received(WorkCompletion completion) {
        int slot = (int) completion.workRequestId();
        if (completion.hasImmediateData()) {
            protocol.dataArrived(completion.immediateData(), completion.byteLength());
        } else {
            protocol.controlArrived(buffers.message(slot), completion.byteLength());
        }
        buffers.receive(connection.queuePair(), slot);
    }

    /// Serves pending reads and writes. Call it without the lock.
    void settle() {
        List<Runnable> done;
        boolean answered;
        RuntimeException refusal;
        lock.lock();
        try {
            done = protocol.advance();
            answered = protocol.isAnswered();
            refusal = ready.isDone() ? null : protocol.refusal();
        } finally {
            lock.unlock();
        }
        done.forEach(Runnable::run);
        if (answered && !ready.isDone()) {
            if (refusal == null) {
                ready.complete(null);
            } else {
                ready.completeExceptionally(refusal);
            }
        }
    }

    /// Ends the protocol, and then the virtual thread. The first call returns when no thread uses the connection any
    /// more. Later calls have no effect.
    @SuppressWarnings("ReferenceEquality") // threads are compared by identity
    void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            protocol.close(() -> new IllegalStateException("the connection to the Valkey server is closed"));
        } finally {
            lock.unlock();
        }
        settle();
        if (Thread.currentThread() != pump) {
            awaitPump();
        }
    }

    private void awaitPump() {
        pump.interrupt();
        boolean interrupted = false;
        while (pump.isAlive()) {
            try {
                pump.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
