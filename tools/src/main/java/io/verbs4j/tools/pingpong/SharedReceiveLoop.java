// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.CompletionHandler;
import io.verbs4j.CompletionQueue;
import io.verbs4j.MemoryRegion;
import io.verbs4j.QueuePair;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.WorkCompletion;
import io.verbs4j.tools.ToolException;
import java.util.List;

/// The exchange of a ping-pong over many queue pairs at once: whenever a send and a receive of one have completed, its next
/// send goes out, until both have happened often enough, over all queue pairs together. Allocates nothing once it runs. For
/// one thread.
final class SharedReceiveLoop implements CompletionHandler, PingPongSession {
    private final CompletionQueue queue;
    private final SharedReceiveQueue shared;
    private final MemoryRegion memory;
    private final Messages[] messages;
    private final int[] numbers;
    private final int[] pending;
    private final int warmUp;
    private final int iterations;
    private final int depth;
    private long start;
    private int sent;
    private int received;
    private int receivesPosted;

    /// @param depth receives that are posted already, and are to be posted again when almost none is left
    /// @param warmUp exchanges before the clock starts
    /// @param iterations exchanges that it measures
    SharedReceiveLoop(
            CompletionQueue queue,
            SharedReceiveQueue shared,
            MemoryRegion memory,
            List<QueuePair> queuePairs,
            int depth,
            int warmUp,
            int iterations) {
        this.queue = queue;
        this.shared = shared;
        this.memory = memory;
        this.messages = queuePairs.stream()
                .map(queuePair -> new ConnectedMessages(queuePair, memory))
                .toArray(Messages[]::new);
        this.numbers = queuePairs.stream().mapToInt(QueuePair::number).toArray();
        this.pending = queuePairs.stream().mapToInt(_ -> Messages.RECEIVE_ID).toArray();
        this.depth = depth;
        this.warmUp = warmUp;
        this.iterations = Math.addExact(warmUp, iterations);
        this.receivesPosted = depth;
    }

    /// Sends the first message of each queue pair: what the client does.
    @Override
    public void start() {
        for (int i = 0; i < messages.length; i++) {
            send(i);
        }
    }

    @Override
    public long run(boolean events) {
        start = System.nanoTime();
        new CompletionDispatcher(queue, depth + messages.length, this).run(events, this::unfinished, this::progress);
        return System.nanoTime() - start;
    }

    private void send(int index) {
        if (!messages[index].send()) {
            throw new ToolException("Couldn't post send: the send queue is full");
        }
        pending[index] = Messages.RECEIVE_ID | Messages.SEND_ID;
    }

    private boolean unfinished() {
        return received < iterations || sent < iterations;
    }

    private String progress() {
        return received + " of " + iterations + " messages received and " + sent + " sent";
    }

    @Override
    public void completed(WorkCompletion completion) {
        int id = (int) completion.workRequestId();
        if (!completion.isSuccess()) {
            throw new FailedCompletion(completion.status(), id);
        }
        int index = indexOf(completion.queuePairNumber());
        switch (id) {
            case Messages.SEND_ID -> sent++;
            case Messages.RECEIVE_ID -> {
                received++;
                if (received == warmUp) {
                    start = System.nanoTime();
                }
                replenish();
            }
            default -> throw new ToolException("Completion for unknown wr_id " + id);
        }
        pending[index] &= ~id;
        if (sent < iterations && pending[index] == 0) {
            send(index);
        }
    }

    private int indexOf(int number) {
        for (int i = 0; i < numbers.length; i++) {
            if (numbers[i] == number) {
                return i;
            }
        }
        throw new ToolException("Couldn't find QPN %06x".formatted(number));
    }

    private void replenish() {
        receivesPosted--;
        if (receivesPosted <= messages.length) {
            try (var batch = shared.beginReceive()) {
                receivesPosted += Messages.post(batch, memory, depth - receivesPosted);
            }
            Messages.requireAll(receivesPosted, depth);
        }
    }
}
