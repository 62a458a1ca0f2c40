// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor.acceptance;

import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.CompletionRecord;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.ReceiveBatch;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WorkCompletion;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.tools.common.ToolException;
import io.verbs4j.types.Access;
import io.verbs4j.types.CompletionOpcode;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// One of the two queue pairs of a [Pair], with its own completion queue, channel and memory. Not thread-safe.
final class Peer implements AutoCloseable {
    /// Timeout for a completion. Emulated kernels are slow.
    static final Duration TIMEOUT = Duration.ofSeconds(30);

    private static final int COMPLETIONS = 256;

    private final CompletionChannel channel;
    private final CompletionQueue queue;
    private final MemoryRegion memory;
    private final Queue<CompletionRecord> arrived = new ArrayDeque<>();
    private final List<AutoCloseable> parts = new ArrayList<>();
    private @Nullable QueuePair queuePair;

    /// @param bytes size of the memory
    Peer(Context context, ProtectionDomain domain, long bytes, Access... rights) {
        channel = context.createCompletionChannel();
        queue = context.createCompletionQueue(CompletionQueueOptions.entries(COMPLETIONS).withChannel(channel));
        memory = domain.allocate(bytes, rights);
        parts.addAll(List.of(memory, queue, channel));
    }

    /// Returns its completion queue.
    CompletionQueue queue() {
        return queue;
    }

    /// Returns the channel of its completion queue.
    CompletionChannel channel() {
        return channel;
    }

    /// Returns its memory.
    MemoryRegion memory() {
        return memory;
    }

    /// Returns a part of its memory.
    MemorySegment bytes(long offset, long length) {
        return memory.segment().asSlice(offset, length);
    }

    /// Returns its connected queue pair.
    QueuePair queuePair() {
        if (queuePair == null) {
            throw new IllegalStateException("not connected yet");
        }
        return queuePair;
    }

    void connected(QueuePair made) {
        queuePair = made;
        parts.addFirst(made);
    }

    void connected(RdmaConnection made) {
        queuePair = made.queuePair();
        parts.addFirst(made);
    }

    /// Starts a signaled work request.
    static SendWorkRequest request(long id) {
        return new SendWorkRequest().signaled().workRequestId(id);
    }

    /// Posts work requests with one doorbell.
    void post(SendWorkRequest... sends) {
        if (queuePair().post(sends) < sends.length) {
            throw new ToolException("the send queue of " + queuePair() + " is full");
        }
    }

    /// Posts a receive into its memory.
    void receive(long id, long offset, long length) {
        try (ReceiveBatch batch = queuePair().beginReceive()) {
            if (!batch.workRequestId(id).receive(memory, offset, length)) {
                throw new ToolException("the receive queue of " + queuePair() + " is full");
            }
            batch.submit();
        }
    }

    /// Returns the next completion with any status.
    CompletionRecord next() throws InterruptedException {
        if (arrived.isEmpty()) {
            queue.poll(COMPLETIONS, this::keep, TIMEOUT);
        }
        CompletionRecord completion = arrived.poll();
        if (completion == null) {
            throw new ToolException("no completion within " + TIMEOUT.toSeconds() + " s on " + queuePair());
        }
        return completion;
    }

    private void keep(WorkCompletion completion) {
        arrived.add(completion.toRecord());
    }

    /// Returns the next completion, which must be the success of a work request.
    CompletionRecord success(long id, CompletionOpcode opcode) throws InterruptedException {
        CompletionRecord completion = next();
        if (!completion.isSuccess()) {
            throw new ToolException(completion.toString());
        }
        require(completion.workRequestId() == id && completion.opcode().equals(opcode),
                "expected the completion of work request " + id + ", " + opcode + ", got " + completion);
        return completion;
    }

    /// Checks that nothing has completed.
    void none() {
        queue.poll(COMPLETIONS, this::keep);
        require(arrived.isEmpty(), "unexpected completion: " + arrived);
    }

    /// Checks a condition.
    static void require(boolean so, String otherwise) {
        if (!so) {
            throw new ToolException(otherwise);
        }
    }

    @Override
    public void close() {
        RuntimeException failure = null;
        for (AutoCloseable part : parts) {
            try {
                part.close();
            } catch (Exception e) {
                failure = failure == null ? new ToolException("closing " + part + " failed: " + e.getMessage())
                        : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
