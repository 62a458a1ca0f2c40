// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.wire;

import io.verbs4j.CompletionRecord;
import io.verbs4j.QueuePairBuilder;
import io.verbs4j.ReceiveBatch;
import io.verbs4j.SendBatch;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.End;
import io.verbs4j.tests.support.Eventually;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/// Many [ChecksummedMessage]s over one reliable connection, several concurrently. Each must arrive once, complete and
/// in order.
final class Flood implements AutoCloseable {
    /// Longest message: more than two packets.
    private static final int LONGEST = 2200;

    private static final int SLOT_BYTES = 4096;
    /// Messages under way.
    private static final int WINDOW = 64;
    private static final int RECEIVES = 128;
    /// One of so many sends is signalled, and speaks for those before it.
    private static final int SIGNAL_INTERVAL = 8;

    private static final long PAUSE_NANOS = 50_000;

    private final ConnectedPair pair;
    private final End left;
    private final End right;
    private final long messages;
    private long sent;
    private long acknowledged;
    private long received;

    /// @param messages number of messages
    /// @param settings of both queue pairs
    Flood(long messages, UnaryOperator<QueuePairBuilder> settings) {
        this.messages = messages;
        pair = ConnectedPair.onTheWire()
                .memory((long) SLOT_BYTES * RECEIVES)
                .both(builder -> settings.apply(builder.maxSends(WINDOW).maxReceives(RECEIVES)))
                .connect();
        left = pair.left();
        right = pair.right();
        try (ReceiveBatch batch = right.queuePair().beginReceive()) {
            for (int slot = 0; slot < RECEIVES; slot++) {
                require(receive(batch, slot), "receive queue is full");
            }
            batch.submit();
        }
    }

    /// Sends messages while there is room, and polls completions.
    ///
    /// @return whether it did anything
    boolean step() {
        long before = sent + acknowledged + received;
        send();
        left.queue().poll(WINDOW, completion -> acknowledge(completion.toRecord()));
        try (ReceiveBatch batch = right.queuePair().beginReceive()) {
            right.queue().poll(RECEIVES, completion -> take(completion.toRecord(), batch));
            batch.submit();
        }
        return sent + acknowledged + received != before;
    }

    private void send() {
        if (sent == messages || sent - acknowledged >= WINDOW) {
            return;
        }
        try (SendBatch batch = left.queuePair().beginSend()) {
            while (sent < messages && sent - acknowledged < WINDOW) {
                long offset = sent % WINDOW * SLOT_BYTES;
                int length = length(sent);
                ChecksummedMessage.write(left.bytes(offset, SLOT_BYTES), sent, length);
                boolean signals = sent % SIGNAL_INTERVAL == SIGNAL_INTERVAL - 1 || sent == messages - 1;
                SendBatch next = batch.workRequestId(sent);
                next.send().local(left.memory(), offset, length);
                require((signals ? next.signaled() : next).post(), "send queue is full");
                sent++;
            }
            batch.submit();
        }
    }

    private static int length(long number) {
        return ChecksummedMessage.HEAD_BYTES + (int) (number * 397 % (LONGEST - ChecksummedMessage.HEAD_BYTES));
    }

    private void acknowledge(CompletionRecord completion) {
        require(completion.isSuccess(), completion);
        require(completion.workRequestId() >= acknowledged, completion);
        acknowledged = completion.workRequestId() + 1;
    }

    private void take(CompletionRecord completion, ReceiveBatch batch) {
        require(completion.isSuccess(), completion);
        int slot = (int) completion.workRequestId();
        MemorySegment memory = right.bytes((long) slot * SLOT_BYTES, SLOT_BYTES);
        long number = ChecksummedMessage.read(memory, completion.byteLength());
        require(number == received, "message " + number);
        received++;
        require(receive(batch, slot), completion);
    }

    private boolean receive(ReceiveBatch batch, int slot) {
        return batch.workRequestId(slot).receive(right.memory(), (long) slot * SLOT_BYTES, SLOT_BYTES);
    }

    /// Not AssertJ, which would take most of the time.
    private void require(boolean condition, Object what) {
        if (!condition) {
            throw new AssertionError("unexpected: " + what + "; " + this);
        }
    }

    /// Returns whether all have arrived and been acknowledged.
    boolean isDone() {
        return acknowledged == messages && received == messages;
    }

    /// Nothing may come after all.
    void assertNothingLeft() {
        left.completions().assertNone();
        right.completions().assertNone();
    }

    @Override
    public String toString() {
        return messages + " messages: " + sent + " sent, " + acknowledged + " acknowledged, " + received + " received; "
                + left + "; " + right;
    }

    @Override
    public void close() {
        pair.close();
    }

    /// Runs several connections concurrently until all messages are exchanged. Fails if there is no progress for long.
    ///
    /// @param messages number of messages of all connections together
    static void run(long messages, int connections, UnaryOperator<QueuePairBuilder> settings) {
        var floods = new ArrayList<Flood>();
        try {
            for (int i = 0; i < connections; i++) {
                floods.add(new Flood(messages / connections + (i < messages % connections ? 1 : 0), settings));
            }
            run(floods);
        } finally {
            floods.forEach(Flood::close);
        }
    }

    private static void run(List<Flood> floods) {
        long last = System.nanoTime();
        while (!floods.stream().allMatch(Flood::isDone)) {
            boolean moved = false;
            for (Flood flood : floods) {
                moved |= flood.step();
            }
            if (moved) {
                last = System.nanoTime();
            } else if (System.nanoTime() - last > Eventually.LIMIT.toNanos()) {
                throw new AssertionError("nothing came for " + Eventually.LIMIT.toSeconds() + " s: " + floods);
            } else {
                LockSupport.parkNanos(PAUSE_NANOS); // the kernel's half of the work needs a processor too
            }
        }
        floods.forEach(Flood::assertNothingLeft);
    }
}
