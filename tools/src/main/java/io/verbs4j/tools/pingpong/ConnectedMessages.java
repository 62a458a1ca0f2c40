// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.MemoryRegion;
import io.verbs4j.QueuePair;
import io.verbs4j.ReceiveBatch;
import io.verbs4j.SendBatch;

/// Messages of a connected queue pair. As in C, one buffer is used for sending and receiving.
final class ConnectedMessages implements Messages {
    private final QueuePair queuePair;
    private final MemoryRegion memory;
    private final boolean inline;

    ConnectedMessages(QueuePair queuePair, MemoryRegion memory) {
        this.queuePair = queuePair;
        this.memory = memory;
        this.inline = memory.length() <= queuePair.capabilities().maxInlineData();
    }

    @Override
    public boolean send() {
        try (SendBatch batch = queuePair.beginSend()) {
            batch.workRequestId(SEND_ID).signaled();
            boolean room =
                    inline ? batch.send().inline(memory.segment()).post()
                            : batch.send()
                                    .local(memory, 0, memory.length())
                                    .post();
            batch.submit();
            return room;
        }
    }

    @Override
    public int receive(int count) {
        try (ReceiveBatch batch = queuePair.beginReceive()) {
            return Messages.post(batch, memory, count);
        }
    }

    @Override
    public void close() {
        queuePair.close();
    }
}
