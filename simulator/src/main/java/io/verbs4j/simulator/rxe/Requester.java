// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import io.verbs4j.simulator.profile.Behaviour;
import io.verbs4j.types.AsyncEventType;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.SendFlags;
import io.verbs4j.types.WorkRequestOpcode;
import org.jspecify.annotations.Nullable;

/// Turns work requests of the send ring into packets (rxe_req.c).
final class Requester {
    /// Maximum number of unanswered packets.
    private static final int UNANSWERED = 128;

    private final QueuePair owner;
    private final Ring ring;
    private final LocalOperations local;
    private final RequestPackets requestPackets;
    private final Scatter scatter = new Scatter();

    int psn;
    private int opcode = QueuePair.NONE;
    /// The element to send next. Earlier elements wait for answers.
    private int index;
    /// Number of reads and atomics that may still be sent.
    int credits;
    boolean waitsForCredit;
    boolean waitsForAnswers;
    boolean waitsAtFence;
    boolean mustRetry;
    boolean waitsForPeer;
    /// Whether a local operation was executed since the requester was last idle.
    boolean ranLocally;

    Requester(QueuePair owner) {
        this.owner = owner;
        this.ring = owner.sends;
        this.local = new LocalOperations(owner);
        this.requestPackets = new RequestPackets(owner);
    }

    void reset() {
        opcode = QueuePair.NONE;
        mustRetry = false;
        waitsForPeer = false;
        requestPackets.reset();
    }

    /// Sends one packet, or executes one local operation.
    ///
    /// @return whether there may be more work
    boolean step() {
        if (owner.state == QueuePairState.ERR) {
            index = ring.peer();
            return false;
        }
        if (owner.state == QueuePairState.RESET) {
            index = ring.index();
            opcode = QueuePair.NONE;
            waitsForCredit = false;
            waitsForAnswers = false;
            mustRetry = false;
            waitsForPeer = false;
            return false;
        }
        if (mustRetry && !waitsForPeer) {
            retry();
            mustRetry = false;
        }
        drained();
        if (index == ring.peer()) {
            return false;
        }
        long element = ring.element(index);
        boolean waits =
                owner.state == QueuePairState.SQD && Memory.word(element + SendElement.STATE) != SendElement.PROCESSING;
        return !waits && send(element);
    }

    /// Sends until there is nothing left to send.
    void sendWhatIsLeft() {
        while (step()) {
            // each step is one packet, or one local operation
        }
    }

    private boolean send(long element) {
        int elements = Memory.word(element + SendElement.ELEMENTS);
        int left = Memory.word(element + SendElement.LEFT);
        int most = owner.maxSendElements();
        if (Integer.compareUnsigned(elements, most) > 0
                || (left != 0 && Integer.compareUnsigned(Memory.word(element + SendElement.ELEMENT), most) >= 0)) {
            return fail(element, Status.OPERATION);
        }
        int request = Memory.word(element + SendElement.OPCODE);
        if (isFenced(element, request)) {
            waitsAtFence = true;
            return false;
        }
        if (LocalOperations.has(request)) {
            int status = local.run(element, request);
            ranLocally = true;
            if (status != Status.SUCCESS) {
                return fail(element, status);
            }
            Memory.word(element + SendElement.STATE, SendElement.DONE);
            Memory.word(element + SendElement.STATUS, Status.SUCCESS);
            index = ring.next(index);
            return true;
        }
        boolean reliable = owner.shape.type() == QueuePairType.RC;
        if (reliable && Packet.compare(psn, owner.completer.psn + UNANSWERED) > 0) {
            waitsForAnswers = true;
            return false;
        }
        int next = RequestOpcodes.next(owner, opcode, request, Integer.compareUnsigned(left, owner.mtu) <= 0);
        if (next < 0) {
            return fail(element, Status.OPERATION);
        }
        int properties = Opcode.properties(next);
        if ((properties & (Opcode.READS | Opcode.ATOMIC | Opcode.WRITES_ATOMICALLY)) != 0 && !takesCredit(element)) {
            return false;
        }
        return send(element, next, left);
    }

    private boolean send(long element, int next, int left) {
        boolean datagram = owner.shape.type() == QueuePairType.UD;
        int mtu = datagram ? owner.device.activeMtu() : owner.mtu;
        boolean carries = (Opcode.properties(next) & (Opcode.SENDS | Opcode.WRITES | Opcode.WRITES_ATOMICALLY)) != 0;
        int bytes = carries ? left : 0;
        if (Integer.compareUnsigned(bytes, mtu) > 0) {
            if (datagram) {
                return pretend(element);
            }
            bytes = mtu;
        }
        Path path = path(element, datagram);
        if (path == null) {
            return fail(element, Status.OPERATION);
        }
        Packet packet = requestPackets.prepare(element, next, path, psn);
        int before = Memory.word(element + SendElement.LEFT);
        int part = Memory.word(element + SendElement.ELEMENT);
        int offset = Memory.word(element + SendElement.OFFSET);
        int status = requestPackets.fill(packet, element, bytes);
        if (status != Status.SUCCESS) {
            return fail(element, status);
        }
        if (owner.device.has(Behaviour.LONG_PACKETS_ARE_RETRIED_INDEFINITELY) && owner.device.isTooLong(packet)) {
            Memory.word(element + SendElement.LEFT, before);
            Memory.word(element + SendElement.ELEMENT, part);
            Memory.word(element + SendElement.OFFSET, offset);
            return false;
        }
        if (!owner.device.send(packet)) {
            return fail(element, Status.OPERATION);
        }
        account(packet, element, bytes);
        return true;
    }

    /// Completes a datagram that is longer than the MTU successfully without sending it (IBA vol. 1, C10-93.1.1).
    private boolean pretend(long element) {
        Memory.word(element + SendElement.FIRST_PSN, psn);
        Memory.word(element + SendElement.LAST_PSN, psn);
        psn = Packet.next(psn);
        opcode = Opcode.UD | Opcode.SEND_ONLY;
        Memory.word(element + SendElement.STATE, SendElement.DONE);
        Memory.word(element + SendElement.STATUS, Status.SUCCESS);
        index = ring.next(index);
        return true;
    }

    private @Nullable Path path(long element, boolean datagram) {
        if (!datagram) {
            return owner.path;
        }
        RxeDevice.Handle handle = owner.device.handle(Memory.word(element + SendElement.ADDRESS_HANDLE));
        return handle == null || handle.domain() != owner.shape.domain() ? null : handle.path();
    }

    private void account(Packet packet, long element, int bytes) {
        boolean last = packet.is(Opcode.END);
        boolean reliable = owner.shape.type() == QueuePairType.RC;
        Memory.word(element + SendElement.STATE,
                last ? reliable ? SendElement.PENDING : SendElement.DONE : SendElement.PROCESSING);
        long total = Integer.toUnsignedLong(Memory.word(element + SendElement.LEFT)) + bytes;
        int packets = (int) Math.max(1, (total + owner.mtu - 1) / owner.mtu);
        if (packet.is(Opcode.START)) {
            Memory.word(element + SendElement.FIRST_PSN, psn);
            Memory.word(element + SendElement.LAST_PSN, (psn + packets - 1) & Packet.PSN_MASK);
        }
        psn = (packet.is(Opcode.READS) ? Memory.word(element + SendElement.FIRST_PSN) + packets : psn + 1)
                & Packet.PSN_MASK;
        opcode = packet.opcode;
        if (last) {
            index = ring.next(index);
        }
        owner.completer.retransmission.sent();
    }

    /// Fails a request before it is sent. On newer kernels the queue pair moves to ERR at once, and the completer
    /// flushes this request with all others. On older kernels the completer reports the failure when the request is the
    /// oldest.
    private boolean fail(long element, int status) {
        index = ring.next(index);
        Memory.word(element + SendElement.STATUS, status);
        Memory.word(element + SendElement.STATE, SendElement.ERROR);
        if (owner.device.has(Behaviour.LOCAL_FAILURES_ARE_FLUSHES)) {
            owner.fail();
        } else {
            owner.wakeSender();
        }
        return false;
    }

    private boolean isFenced(long element, int request) {
        return request == WorkRequestOpcode.LOCAL_INVALIDATE
                ? index != ring.index()
                : (Memory.word(element + SendElement.FLAGS) & SendFlags.FENCE) != 0
                        && credits != owner.attributes.reads;
    }

    private boolean takesCredit(long element) {
        if (Memory.word(element + SendElement.HAS_CREDIT) != 0) {
            return true;
        }
        if (credits == 0) {
            waitsForCredit = true;
            return false;
        }
        credits--;
        waitsForCredit = false;
        Memory.word(element + SendElement.HAS_CREDIT, 1);
        return true;
    }

    /// Reports that the send queue is empty after a move to SQD.
    private void drained() {
        if (owner.state == QueuePairState.SQD
                && owner.draining
                && index == ring.index()
                && (ring.isEmpty() || Memory.word(ring.head() + SendElement.STATE) == SendElement.POSTED)) {
            owner.draining = false;
            owner.report(AsyncEventType.SEND_QUEUE_DRAINED);
        }
    }

    /// Starts again with the oldest unanswered packet.
    private void retry() {
        index = ring.index();
        psn = owner.completer.psn;
        opcode = QueuePair.NONE;
        boolean first = true;
        for (int at = ring.index(); at != ring.peer(); at = ring.next(at)) {
            long element = ring.element(at);
            int state = Memory.word(element + SendElement.STATE);
            if (state == SendElement.POSTED) {
                break;
            }
            if (state == SendElement.DONE) {
                continue;
            }
            int request = Memory.word(element + SendElement.OPCODE);
            boolean reads = request == WorkRequestOpcode.RDMA_READ;
            Memory.twoWords(element + SendElement.IOVA, firstAddress(element, request));
            if (!first || !reads) {
                Memory.word(element + SendElement.LEFT, Memory.word(element + SendElement.LENGTH));
                Memory.word(element + SendElement.ELEMENT, 0);
                Memory.word(element + SendElement.OFFSET, 0);
            }
            if (first) {
                first = false;
                resume(element, request, reads);
            }
            Memory.word(element + SendElement.STATE, SendElement.POSTED);
        }
    }

    private long firstAddress(long element, int request) {
        return switch (request) {
            case WorkRequestOpcode.RDMA_READ,
                    WorkRequestOpcode.RDMA_WRITE,
                    WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE,
                    WorkRequestOpcode.COMPARE_AND_SWAP,
                    WorkRequestOpcode.FETCH_AND_ADD ->
                Memory.twoWords(element + SendElement.REMOTE_ADDRESS);
            case WorkRequestOpcode.FLUSH, WorkRequestOpcode.ATOMIC_WRITE ->
                owner.device.has(Behaviour.REPEATED_ATOMIC_WRITES_LOSE_THEIR_ADDRESS)
                        ? 0
                        : Memory.twoWords(element + SendElement.REMOTE_ADDRESS);
            default -> 0;
        };
    }

    /// Skips the answered packets of the oldest request.
    private void resume(long element, int request, boolean reads) {
        if (reads) {
            int done = Memory.word(element + SendElement.LENGTH) - Memory.word(element + SendElement.LEFT);
            Memory.twoWords(
                    element + SendElement.IOVA,
                    Memory.twoWords(element + SendElement.IOVA) + Integer.toUnsignedLong(done) / owner.mtu * owner.mtu);
            return;
        }
        boolean carries = request <= WorkRequestOpcode.SEND_WITH_IMMEDIATE
                || request == WorkRequestOpcode.SEND_WITH_INVALIDATE;
        int packets = (owner.completer.psn - Memory.word(element + SendElement.FIRST_PSN)) & Packet.PSN_MASK;
        if (!carries || packets == 0) {
            return;
        }
        scatter.load(element + SendElement.DMA, owner.maxSendElements());
        boolean inline = (Memory.word(element + SendElement.FLAGS) & SendFlags.INLINE) != 0;
        for (int i = 0; i < packets; i++) {
            opcode = RequestOpcodes.next(owner, opcode, request, Integer.compareUnsigned(scatter.left, owner.mtu) <= 0);
            int part = Math.min(scatter.left, owner.mtu);
            if (inline) {
                scatter.left -= part;
                scatter.offset += part;
            } else {
                scatter.skip(part);
            }
        }
        scatter.store(element + SendElement.DMA);
    }
}
