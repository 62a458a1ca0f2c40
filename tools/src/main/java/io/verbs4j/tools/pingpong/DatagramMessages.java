// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.AddressHandle;
import io.verbs4j.GlobalRouteHeader;
import io.verbs4j.MemoryRegion;
import io.verbs4j.QueuePair;
import io.verbs4j.ReceiveBatch;
import io.verbs4j.SendBatch;

/// Datagrams to one destination. As in C, one buffer is used for sending and receiving, with room for the header before
/// the message.
final class DatagramMessages implements Messages {
    private final QueuePair queuePair;
    private final AddressHandle path;
    private final int remoteNumber;
    private final int qkey;
    private final MemoryRegion memory;
    private final long length;
    private final boolean inline;

    /// @param memory room for the header, followed by the message
    DatagramMessages(QueuePair queuePair, AddressHandle path, int remoteNumber, int qkey, MemoryRegion memory) {
        this.queuePair = queuePair;
        this.path = path;
        this.remoteNumber = remoteNumber;
        this.qkey = qkey;
        this.memory = memory;
        this.length = memory.length() - GlobalRouteHeader.BYTES;
        this.inline = length <= queuePair.capabilities().maxInlineData();
    }

    @Override
    public boolean send() {
        try (SendBatch batch = queuePair.beginSend()) {
            batch.workRequestId(SEND_ID).signaled().to(path, remoteNumber, qkey);
            boolean room = inline
                    ? batch.send().inline(memory.segment(), GlobalRouteHeader.BYTES, length).post()
                    : batch.send().local(memory, GlobalRouteHeader.BYTES, length).post();
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
        try (
                AddressHandle _ = path;
                QueuePair _ = queuePair) {
            // Closes both, the queue pair first.
        }
    }
}
