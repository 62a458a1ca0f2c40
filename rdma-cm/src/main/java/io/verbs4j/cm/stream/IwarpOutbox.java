// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import io.verbs4j.QueuePair;
import io.verbs4j.SendBatch;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Posts a stream's work requests over iWARP, which has no immediate data. Instead, a message of four bytes in the
/// sender's byte order follows each write, and announces the write (`RS_OPT_MSG_SEND` of librdmacm/rsocket.c). Such a
/// pair takes two entries of the send queue.
final class IwarpOutbox implements StreamOutbox {
    private final QueuePair queuePair;
    private final StreamMemory memory;
    private final int words;
    private final MemorySegment message = Arena.ofAuto().allocate(ValueLayout.JAVA_INT);
    private int nextWord;

    /// @param words number of receives, which are already posted
    IwarpOutbox(QueuePair queuePair, StreamMemory memory, int words) {
        this.queuePair = queuePair;
        this.memory = memory;
        this.words = words;
    }

    /// Posts a receive for each message in the memory.
    static void postReceives(QueuePair queuePair, StreamMemory memory, int words) {
        new IwarpOutbox(queuePair, memory, words).receive(words);
    }

    /// Receives complete in order. Therefore the oldest messages are overwritten next.
    @Override
    public void receive(int count) {
        try (var batch = queuePair.beginReceive()) {
            for (int i = 0; i < count; i++) {
                batch.workRequestId(StreamProtocol.RECEIVE | nextWord)
                        .post(memory.wordAddress(nextWord), StreamMemory.WORD, memory.sendKey());
                nextWord = (nextWord + 1) % words;
            }
            batch.submit();
        }
    }

    @Override
    public void write(long id, long from, int length, long to, int key, int immediate) {
        try (var batch = queuePair.beginSend()) {
            postWrite(batch, StreamProtocol.UNREPORTED, from, length, to, key);
            send(batch, id, immediate);
        }
    }

    @Override
    public void writeSilently(long id, long from, int length, long to, int key) {
        try (var batch = queuePair.beginSend()) {
            postWrite(batch, id, from, length, to, key);
            batch.submit();
        }
    }

    /// Posts a signaled write. If a write of a page or more is not signaled, siw hands its bytes to TCP without a copy
    /// (`siw_qp_prepare_tx`, siw_qp_tx.c). TCP may then read them after later work requests have completed, when the
    /// ring already contains other bytes.
    private void postWrite(SendBatch batch, long id, long from, int length, long to, int key) {
        QueuePairOutbox.require(batch.signaled()
                .workRequestId(id)
                .write()
                .local(from, length, memory.sendKey())
                .remote(to, key)
                .post());
    }

    @Override
    public void signal(long id, int immediate) {
        try (var batch = queuePair.beginSend()) {
            send(batch, id, immediate);
        }
    }

    private void send(SendBatch batch, long id, int immediate) {
        message.set(ValueLayout.JAVA_INT, 0, immediate);
        QueuePairOutbox.post(batch.send().inline(message), id);
    }
}
