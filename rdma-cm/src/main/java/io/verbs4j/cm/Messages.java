// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.CompletionQueue;
import io.verbs4j.MemoryRegion;
import io.verbs4j.QueuePair;
import io.verbs4j.WorkCompletion;
import io.verbs4j.types.Access;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.Errno;
import io.verbs4j.types.Ranges;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Messages over a connection, with buffers of their own: each is copied once on either side. For programs that want whole messages and
/// no buffers to care for; what is to be fast posts work requests itself.
///
/// Thread-safe; one thread at a time waits. Needs the connection's completion queue for itself. A peer that has no receive left makes
/// senders wait, and loses nothing.
public final class Messages {
    private static final Duration LONG = Duration.ofDays(365);
    private static final long SEND = 1L << 62;

    private final QueuePair queuePair;
    private final CompletionQueue queue;
    private final int count;
    private final int bytes;
    private final MemoryRegion memory;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Integer> freeSends = new ArrayDeque<>(); // guarded by the lock, like the rest
    private final ArrayDeque<byte[]> received = new ArrayDeque<>();
    private @Nullable CompletionStatus failure;

    Messages(QueuePair queuePair, CompletionQueue queue, int count, int bytes) {
        this.queuePair = queuePair;
        this.queue = queue;
        this.count = count;
        this.bytes = bytes;
        this.memory = queuePair.protectionDomain().allocate(2L * count * bytes, Access.LOCAL_WRITE);
        for (int slot = 0; slot < count; slot++) {
            freeSends.add(slot);
            postReceive(slot);
        }
    }

    private long offset(int slot) {
        return (long) slot * bytes;
    }

    private void postReceive(int slot) {
        try (var batch = queuePair.beginReceive()) {
            batch.workRequestId(slot).receive(memory, offset(slot), bytes);
            batch.submit();
        }
    }

    /// Sends a text in UTF-8.
    ///
    /// @see #send(byte[], Duration)
    public void send(String text) throws InterruptedException {
        send(text.getBytes(StandardCharsets.UTF_8), Duration.ofSeconds(10));
    }

    /// Sends a message. Returns when it is posted; waits before that until a buffer is free.
    ///
    /// @param message at most as many bytes as the options say
    /// @throws VerbsException `ETIMEDOUT` if no buffer became free in time, `ECONNRESET` if the connection has ended
    public void send(byte[] message, Duration timeout) throws InterruptedException {
        Ranges.check("message.length", message.length, 0, bytes);
        long deadline = Deadline.of(timeout);
        lock.lockInterruptibly();
        try {
            while (freeSends.isEmpty()) {
                if (pump(Deadline.left(deadline)) == 0) {
                    throw new VerbsException("send message", Errno.ETIMEDOUT, "the peer takes no messages");
                }
                requireSound();
            }
            requireSound();
            int slot = freeSends.remove();
            MemorySegment.copy(
                    message, 0, memory.segment(), ValueLayout.JAVA_BYTE, offset(count + slot), message.length);
            try (var batch = queuePair.beginSend()) {
                batch.signaled().workRequestId(SEND | slot).send(memory, offset(count + slot), message.length);
                batch.submit();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Waits for a message.
    ///
    /// @return empty after the timeout
    /// @throws VerbsException `ECONNRESET` if the connection has ended, and all messages that came before were taken
    public Optional<byte[]> receive(Duration timeout) throws InterruptedException {
        long deadline = Deadline.of(timeout);
        lock.lockInterruptibly();
        try {
            while (received.isEmpty()) {
                requireSound();
                if (pump(Deadline.left(deadline)) == 0) {
                    return Optional.empty();
                }
            }
            return Optional.of(received.remove());
        } finally {
            lock.unlock();
        }
    }

    /// Waits for a message that is a text in UTF-8.
    ///
    /// @return empty after the timeout
    public Optional<String> receiveText(Duration timeout) throws InterruptedException {
        return receive(timeout).map(message -> new String(message, StandardCharsets.UTF_8));
    }

    /// Waits for a message that is a text in UTF-8, however long it takes.
    ///
    /// @throws VerbsException `ECONNRESET` if the connection has ended, and all messages that came before were taken
    public String receiveText() throws InterruptedException {
        while (true) {
            Optional<String> text = receiveText(LONG);
            if (text.isPresent()) {
                return text.get();
            }
        }
    }

    private void requireSound() {
        CompletionStatus status = failure;
        if (status != null) {
            throw new VerbsException(
                    "exchange messages",
                    Errno.ECONNRESET,
                    status.equals(CompletionStatus.WORK_REQUEST_FLUSHED)
                            ? "the connection has ended"
                            : "a work request failed: " + status);
        }
    }

    private int pump(Duration timeout) throws InterruptedException {
        return queue.await(16, this::completed, timeout);
    }

    private void completed(WorkCompletion completion) {
        long id = completion.workRequestId();
        int slot = (int) id;
        if (!completion.isSuccess()) {
            if (failure == null) {
                failure = completion.status();
            }
        } else if ((id & SEND) != 0) {
            freeSends.add(slot);
        } else {
            byte[] message = new byte[completion.byteLength()];
            MemorySegment.copy(
                    memory.segment(), ValueLayout.JAVA_BYTE, offset(slot), message, 0,
                    message.length);
            received.add(message);
            postReceive(slot);
        }
    }

    void close() {
        // The queue pair may not use the memory any more.
        queuePair.close();
        memory.close();
    }
}
