// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.valkey;

import io.verbs4j.QueuePair;
import io.verbs4j.SendBatch;

/// Posts a connection's work requests on its queue pair.
record QueuePairOutbox(QueuePair queuePair, Buffers buffers) implements Outbox {
    @Override
    public void control(int opcode) {
        try (var batch = queuePair.beginSend()) {
            post(batch.send().local(buffers.local(), buffers.control(opcode), ControlMessage.BYTES), Protocol.CONTROL);
        }
    }

    @Override
    public void write(long offset, int length, long address, int key) {
        try (var batch = queuePair.beginSend()) {
            post(
                    batch.write()
                            .immediate(length)
                            .local(buffers.local(), buffers.sendBuffer(offset), length)
                            .remote(address, key),
                    length);
        }
    }

    private static void post(SendBatch batch, long id) {
        if (!batch.signaled().workRequestId(id).post()) {
            throw new IllegalStateException(
                    "the send queue is full, although fewer work requests are outstanding than it holds");
        }
        batch.submit();
    }
}
