// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.card;

import io.verbs4j.spi.Completion;
import io.verbs4j.spi.ProviderMemoryRegion;
import io.verbs4j.spi.ProviderQueuePair;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A queue pair of the card, and that of rxe which does its work.
final class CardQueuePair {
    /// Kinds of completions.
    private static final int REQUEST = 0;

    private static final int WRITE_IMMEDIATE = 1;
    private static final int RECEIVED = 2;
    private static final int RECEIVED_IMMEDIATE = 3;
    private static final int RECEIVED_INVALIDATION = 4;
    private static final int REQUEST_ERROR = 13;
    private static final int RESPONSE_ERROR = 14;

    private static final int RECEIVE_BY_WRITE = 129;
    private static final int COMPLETES = 1 << 27;
    private static final int GRH = 1 << 28;
    private static final int LOCAL_OPERATION_ERROR = 2;

    /// The card's syndromes of `enum ib_wc_status`, 0 to 22.
    private static final int[] SYNDROMES = {
            0, 0x01, 0x02, 0, 0x04, 0x05, 0x06, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0, 0, 0x22, 0, 0, 0, 0, 0, 0
    };

    final ProviderQueuePair inner;
    private final CardSends sends;
    private final @Nullable CardReceives receives;
    private final CardCompletions sendQueue;
    private final int shared;
    private final ProviderMemoryRegion copies;
    private final boolean datagrams;
    private QueuePairState state = QueuePairState.RESET;
    private boolean failed;
    /// True if a doorbell was rung for work that is not handed on yet.
    private boolean rung;

    /// @param receives its own receives; null if they are shared
    /// @param shared number of the shared receive queue; 0 for none
    /// @param copies memory for the card's copies of payloads
    /// @param datagrams whether its transport is UD: on Ethernet each of its receives has a header
    CardQueuePair(
            ProviderQueuePair inner,
            CardSends sends,
            @Nullable CardReceives receives,
            CardCompletions sendQueue,
            int shared,
            ProviderMemoryRegion copies,
            boolean datagrams) {
        this.inner = inner;
        this.sends = sends;
        this.receives = receives;
        this.sendQueue = sendQueue;
        this.shared = shared;
        this.copies = copies;
        this.datagrams = datagrams;
    }

    /// Forwards receives.
    ///
    /// @return whether there were any
    boolean receive() {
        if (receives == null || state == QueuePairState.RESET || !receives.step()) {
            return false;
        }
        if (failed) {
            inner.flushReceives();
        }
        return true;
    }

    /// Takes note of how far the program has posted sends.
    void look() {
        sends.look();
    }

    /// Forwards sends.
    ///
    /// @param doorbell whether a doorbell was rung since the last time
    /// @return whether there were any
    boolean send(boolean doorbell) {
        rung |= doorbell;
        if (!rung || state.compareTo(QueuePairState.RTS) < 0) {
            return false;
        }
        boolean some = send();
        rung = !sends.isDone();
        return some;
    }

    private boolean send() {
        try {
            return sends.step();
        } catch (IllegalArgumentException wrong) {
            int[] skipped = sends.skip();
            sendQueue.put(completion(REQUEST_ERROR, (skipped[0] & 0xff) << 24 | inner.number(), skipped[1])
                    .put(55, (byte) LOCAL_OPERATION_ERROR));
            inner.modify(QueuePairAttributes.builder().state(QueuePairState.ERR).build());
            failed = true;
            return true;
        }
    }

    /// Takes note of a state that the program has asked for.
    void state(QueuePairState now) {
        state = now;
        failed = now == QueuePairState.ERR;
        if (now == QueuePairState.RESET) {
            sends.reset();
            if (receives != null) {
                receives.reset();
            }
        }
    }

    /// Writes the card's completion of one of rxe's.
    void complete(CardCompletions queue, Completion completion) {
        long identifier = completion.workRequestId();
        if (completion.status() != 0) {
            failed = true;
        }
        if ((identifier & CardReceives.MARK) != 0) {
            queue.put(received(completion, (int) identifier & 0xffff));
        } else if (completion.status() != 0 || (identifier & COMPLETES) != 0) {
            boolean good = completion.status() == 0;
            ByteBuffer entry = completion(
                    good ? REQUEST : REQUEST_ERROR,
                    (int) (identifier >>> 16 & 0xff) << 24 | inner.number(),
                    (int) identifier);
            queue.put(good ? entry.putInt(44, completion.byteLength()) : withError(entry, completion));
        }
    }

    private ByteBuffer received(Completion completion, int counter) {
        if (completion.status() != 0) {
            return withError(completion(RESPONSE_ERROR, inner.number(), counter), completion).putInt(32, shared);
        }
        int kind = (completion.flags() & Completion.WITH_INVALIDATE) != 0
                ? RECEIVED_INVALIDATION
                : completion.opcode() == RECEIVE_BY_WRITE
                        ? WRITE_IMMEDIATE
                        : (completion.flags() & Completion.WITH_IMMEDIATE) != 0 ? RECEIVED_IMMEDIATE : RECEIVED;
        return completion(kind, inner.number(), counter)
                .putInt(24, completion.sourceQueuePair() | (datagrams ? GRH : 0))
                .putInt(32, shared)
                .putInt(36, kind == RECEIVED ? 0 : completion.immediateDataOrKey())
                .putInt(44, completion.byteLength());
    }

    private static ByteBuffer withError(ByteBuffer entry, Completion completion) {
        return entry.put(54, (byte) completion.vendorError()).put(55, (byte) SYNDROMES[completion.status()]);
    }

    private static ByteBuffer completion(int kind, int operationAndNumber, int counter) {
        return ByteBuffer.allocate(CardCompletions.SLOT)
                .putInt(56, operationAndNumber)
                .putShort(60, (short) counter)
                .put(63, (byte) (kind << 4));
    }

    int destroy() {
        int events = inner.destroy();
        sends.handles().forEach(handle -> handle.destroy());
        copies.deregister();
        return events;
    }
}
