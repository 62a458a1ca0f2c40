// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.CompletionQueue;
import io.verbs4j.MemoryRegion;
import io.verbs4j.QueuePair;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.WorkCompletion;
import io.verbs4j.tools.common.ToolException;
import java.util.List;

/// Exchanges messages over many queue pairs. When a send and a receive of a queue pair have completed, sends its next
/// message, until all queue pairs together have done enough.
final class SharedReceiveLoop extends ExchangeLoop {
    private final SharedReceiveQueue shared;
    private final MemoryRegion memory;
    private final Messages[] messages;
    private final int[] numbers;
    private final int[] pending;
    private final int depth;
    private int receivesPosted;

    /// @param depth number of receives that are posted before, and posted again when few are left
    /// @param warmUp number of exchanges before the measurement
    /// @param iterations number of measured exchanges
    SharedReceiveLoop(
            CompletionQueue queue,
            SharedReceiveQueue shared,
            MemoryRegion memory,
            List<QueuePair> queuePairs,
            int depth,
            int warmUp,
            int iterations) {
        super(queue, depth + queuePairs.size(), warmUp, iterations);
        this.shared = shared;
        this.memory = memory;
        this.messages = queuePairs.stream()
                .map(queuePair -> new ConnectedMessages(queuePair, memory))
                .toArray(Messages[]::new);
        this.numbers = queuePairs.stream().mapToInt(QueuePair::number).toArray();
        this.pending = queuePairs.stream().mapToInt(_ -> Messages.RECEIVE_ID).toArray();
        this.depth = depth;
        this.receivesPosted = depth;
    }

    /// Sends the first message of each queue pair. The client calls this.
    @Override
    public void start() {
        for (int i = 0; i < messages.length; i++) {
            pending[i] = send(messages[i]);
        }
    }

    @Override
    void proceed(WorkCompletion completion, int id, boolean more) {
        int index = indexOf(completion.queuePairNumber());
        pending[index] &= ~id;
        if (more && pending[index] == 0) {
            pending[index] = send(messages[index]);
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

    @Override
    void replenish() {
        receivesPosted--;
        if (receivesPosted <= messages.length) {
            try (var batch = shared.beginReceive()) {
                receivesPosted += Messages.post(batch, memory, depth - receivesPosted);
            }
            Messages.requireAll(receivesPosted, depth);
        }
    }
}
