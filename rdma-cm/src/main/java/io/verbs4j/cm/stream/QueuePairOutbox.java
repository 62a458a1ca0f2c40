// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import io.verbs4j.QueuePair;
import io.verbs4j.RemoteMemory;
import io.verbs4j.SendBatch;
import io.verbs4j.types.ScatterGatherList;

/// Posts a stream's work requests on a queue pair.
final class QueuePairOutbox implements StreamOutbox {
    private final QueuePair queuePair;
    private final int sendKey;
    private final RemoteMemory peerTable;
    private final ScatterGatherList nothing = new ScatterGatherList();

    /// @param sendKey local key of the send buffer
    /// @param peerTable the peer's memory to which signals are addressed; signals write no bytes
    QueuePairOutbox(QueuePair queuePair, int sendKey, RemoteMemory peerTable) {
        this.queuePair = queuePair;
        this.sendKey = sendKey;
        this.peerTable = peerTable;
    }

    @Override
    public void receive(int count) {
        postReceives(queuePair, nothing, count);
    }

    static void postReceives(QueuePair queuePair, ScatterGatherList nothing, int count) {
        try (var batch = queuePair.beginReceive()) {
            for (int i = 0; i < count; i++) {
                batch.workRequestId(StreamProtocol.RECEIVE).receive(nothing);
            }
            batch.submit();
        }
    }

    @Override
    public void write(long id, long from, int length, long to, int key, int immediate) {
        try (var batch = queuePair.beginSend()) {
            post(batch.write().immediate(immediate).local(from, length, sendKey).remote(to, key), id);
        }
    }

    @Override
    public void writeSilently(long id, long from, int length, long to, int key) {
        try (var batch = queuePair.beginSend()) {
            post(batch.write().local(from, length, sendKey).remote(to, key), id);
        }
    }

    @Override
    public void signal(long id, int immediate) {
        try (var batch = queuePair.beginSend()) {
            post(batch.write().immediate(immediate).remote(peerTable), id);
        }
    }

    /// Posts the work request under construction.
    static void post(SendBatch batch, long id) {
        if (id != StreamProtocol.UNREPORTED) {
            batch.signaled();
        }
        require(batch.workRequestId(id).post());
        batch.submit();
    }

    /// Requires that there was room for a work request.
    static void require(boolean posted) {
        if (!posted) {
            throw new IllegalStateException(
                    "the send queue is full, although fewer work requests are outstanding than it holds");
        }
    }
}
