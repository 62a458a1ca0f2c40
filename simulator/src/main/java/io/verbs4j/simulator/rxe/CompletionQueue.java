// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import io.verbs4j.types.AsyncEventType;

/// A completion queue: a ring that the kernel fills.
public final class CompletionQueue {
    /// `union { struct ib_wc; struct ib_uverbs_wc; }` of rxe_verbs.h.
    private static final int ELEMENT = 72;

    private static final int ANY = 2;
    private static final int SOLICITED = 1;

    static final long WR_ID = Formats.COMPLETION.offset("wr_id");
    static final long STATUS = Formats.COMPLETION.offset("status");
    static final long OPCODE = Formats.COMPLETION.offset("opcode");
    static final long BYTES = Formats.COMPLETION.offset("byte_len");
    static final long DATA = Formats.COMPLETION.offset("ex");
    static final long QUEUE_PAIR = Formats.COMPLETION.offset("qp_num");
    static final long SOURCE = Formats.COMPLETION.offset("src_qp");
    static final long FLAGS = Formats.COMPLETION.offset("wc_flags");
    static final long PORT = Formats.COMPLETION.offset("port_num");

    private final Listener listener;
    private Ring ring;
    private int armed;

    /// Receives the events of the queue.
    public interface Listener {
        /// Called when an armed queue gets a completion.
        void completed();

        /// Called after a failure.
        void failed(AsyncEventType event);
    }

    /// @param entries minimum capacity
    public CompletionQueue(int entries, Listener listener) {
        this.listener = listener;
        this.ring = new Ring(entries, ELEMENT, true);
    }

    /// Returns the ring.
    public Ring ring() {
        return ring;
    }

    /// Returns the number of completions that were not polled yet.
    public int waiting() {
        return ring.held();
    }

    /// Replaces the ring by one of another size, and moves its completions.
    public void resize(int entries) {
        Ring other = new Ring(entries, ELEMENT, true);
        ring.moveTo(other, true);
        ring = other;
    }

    /// Arms the queue for the next completion.
    public void arm(boolean solicitedOnly) {
        armed |= solicitedOnly ? SOLICITED : ANY;
    }

    /// Returns the address for the next completion, zeroed; 0 if there is no room, which raises an event.
    long next() {
        if (ring.isFull()) {
            listener.failed(AsyncEventType.CQ_ERROR);
            return 0;
        }
        long element = ring.head();
        for (int i = 0; i < ELEMENT; i += Long.BYTES) {
            Memory.twoWords(element + i, 0);
        }
        return element;
    }

    /// Publishes the completion at the address that [#next] returned.
    void publish(boolean solicited) {
        ring.advance();
        if ((armed & ANY) != 0 || ((armed & SOLICITED) != 0 && solicited)) {
            armed = 0;
            listener.completed();
        }
    }
}
