// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import io.verbs4j.simulator.profile.Behaviour;
import io.verbs4j.types.AsyncEventType;
import io.verbs4j.types.CompletionOpcode;
import io.verbs4j.types.QueuePairType;
import org.jspecify.annotations.Nullable;

/// The receive of the current message: taken from the queue pair's ring or the shared one, filled, and completed.
final class ReceiveSide {
    private static final long WR_ID = Formats.RECEIVE.offset("wr_id");
    private static final long DMA = Formats.RECEIVE.offset("dma");
    private static final long COUNT = Formats.RECEIVE.offset("dma.num_sge");
    /// Size of the header before a datagram.
    private static final int ROUTE = 40;

    // `enum ib_wc_flags`.
    private static final int WITH_ROUTE = 1;
    private static final int WITH_IMMEDIATE = 2;
    private static final int WITH_INVALIDATION = 4;

    /// The results of taking a receive.
    enum Taken {
        ONE,
        NONE,
        /// It has more elements than permitted.
        MALFORMED
    }

    private final QueuePair owner;
    private final @Nullable SharedReceives shared;
    private final Scatter scatter = new Scatter();
    private boolean taken;
    private long id;

    ReceiveSide(QueuePair owner) {
        this.owner = owner;
        this.shared = owner.shape.shared();
    }

    private Ring ring() {
        Ring own = owner.receives;
        return own != null ? own : java.util.Objects.requireNonNull(shared).ring();
    }

    /// Takes the next receive. One from the queue pair's own ring stays in its slot until it is complete.
    Taken take() {
        Ring ring = ring();
        if (ring.isEmpty()) {
            return Taken.NONE;
        }
        int most = shared == null ? owner.shape.receiveElements() : shared.maxElements();
        long element = ring.head();
        if (Integer.compareUnsigned(Memory.word(element + COUNT), most) > 0) {
            taken = shared == null;
            id = Memory.twoWords(element + WR_ID);
            return Taken.MALFORMED;
        }
        id = Memory.twoWords(element + WR_ID);
        scatter.load(element + DMA, most);
        taken = true;
        if (shared != null) {
            shared.take();
        }
        return Taken.ONE;
    }

    /// Returns whether a datagram and its header fit.
    boolean holdsDatagram(int bytes) {
        return bytes + ROUTE <= scatter.room();
    }

    /// Returns whether the rest of the receive is too short for a packet.
    boolean isTooShort(Packet packet) {
        return packet.payload.length > scatter.left;
    }

    /// Starts again with the same receive.
    void restart() {
        if (taken) {
            scatter.restart();
        }
    }

    /// Copies a packet's payload; for a datagram, also its IP header.
    boolean bring(Packet packet) {
        if (owner.shape.type() == QueuePairType.UD && !copy(PacketBytes.beforeDatagram(packet))) {
            return false;
        }
        return copy(packet.payload);
    }

    private boolean copy(byte[] bytes) {
        return scatter.copy(owner.device, owner.shape.domain(), bytes, 0, bytes.length, true) == Scatter.DONE;
    }

    /// Completes with success.
    boolean complete(Packet packet, int rdmaLength) {
        return complete(packet, Status.SUCCESS, rdmaLength);
    }

    /// Completes the receive, if one was taken.
    ///
    /// @return false if the completion queue is full
    boolean complete(Packet packet, int status, int rdmaLength) {
        if (!taken) {
            return true;
        }
        taken = false;
        if (owner.receives != null) {
            owner.receives.advance();
        }
        CompletionQueue queue = owner.shape.receiveQueue();
        long completion = queue.next();
        if (completion == 0) {
            return false;
        }
        head(completion, id, status);
        if (status == Status.SUCCESS) {
            owner.device.count(Counter.RDMA_RECVS);
            boolean writes = packet.is(Opcode.WRITES);
            CompletionOpcode opcode = writes ? CompletionOpcode.RECEIVE_RDMA_WITH_IMMEDIATE : CompletionOpcode.RECEIVE;
            Memory.word(completion + CompletionQueue.OPCODE, opcode.value());
            Memory.word(completion + CompletionQueue.BYTES, writes ? rdmaLength : scatter.length - scatter.left);
            boolean datagram = packet.is(Opcode.DETH);
            int flags = datagram || owner.device.has(Behaviour.RECEIVES_CLAIM_A_ROUTE) ? WITH_ROUTE : 0;
            if (packet.is(Opcode.IMMEDIATE)) {
                flags |= WITH_IMMEDIATE;
                Memory.word(completion + CompletionQueue.DATA, packet.data);
            }
            if (packet.is(Opcode.INVALIDATES)) {
                flags |= WITH_INVALIDATION;
                Memory.word(completion + CompletionQueue.DATA, packet.data);
            }
            if (datagram) {
                Memory.word(completion + CompletionQueue.SOURCE, packet.sourceQueuePair);
            }
            Memory.word(completion + CompletionQueue.FLAGS, flags);
            Memory.octet(completion + CompletionQueue.PORT, owner.attributes.port);
        }
        boolean failed = status != Status.SUCCESS && !owner.device.has(Behaviour.FAILURES_ARE_NOT_SOLICITED);
        queue.publish(packet.solicited || failed);
        return true;
    }

    private void head(long completion, long request, int status) {
        Memory.twoWords(completion + CompletionQueue.WR_ID, request);
        Memory.word(completion + CompletionQueue.STATUS, status);
        Memory.word(completion + CompletionQueue.QUEUE_PAIR, owner.number);
    }

    /// Flushes the ring. The ring of a shared queue is not flushed; only an event is raised.
    void flush(boolean report) {
        taken = false;
        Ring own = owner.receives;
        if (own == null) {
            if (report && owner.device.has(Behaviour.REPORTS_THE_LAST_RECEIVE)) {
                owner.report(AsyncEventType.QP_LAST_WQE_REACHED);
            }
            return;
        }
        boolean reporting = report;
        boolean solicited = !owner.device.has(Behaviour.FLUSHED_RECEIVES_ARE_NOT_SOLICITED);
        CompletionQueue queue = owner.shape.receiveQueue();
        while (!own.isEmpty()) {
            if (reporting) {
                long completion = queue.next();
                reporting = completion != 0;
                if (reporting) {
                    head(completion, Memory.twoWords(own.head() + WR_ID), Status.FLUSHED);
                    queue.publish(solicited);
                }
            }
            own.advance();
        }
    }
}
