// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import static io.verbs4j.simulator.rxe.SendElement.ADDRESS_HANDLE;
import static io.verbs4j.simulator.rxe.SendElement.ATOMIC_RKEY;
import static io.verbs4j.simulator.rxe.SendElement.COMPARE_OR_ADD;
import static io.verbs4j.simulator.rxe.SendElement.DATA;
import static io.verbs4j.simulator.rxe.SendElement.DMA;
import static io.verbs4j.simulator.rxe.SendElement.DONE;
import static io.verbs4j.simulator.rxe.SendElement.ELEMENT;
import static io.verbs4j.simulator.rxe.SendElement.ELEMENTS;
import static io.verbs4j.simulator.rxe.SendElement.ERROR;
import static io.verbs4j.simulator.rxe.SendElement.FIRST_PSN;
import static io.verbs4j.simulator.rxe.SendElement.FLAGS;
import static io.verbs4j.simulator.rxe.SendElement.FLUSH_LEVEL;
import static io.verbs4j.simulator.rxe.SendElement.FLUSH_RKEY;
import static io.verbs4j.simulator.rxe.SendElement.FLUSH_TYPE;
import static io.verbs4j.simulator.rxe.SendElement.HAS_CREDIT;
import static io.verbs4j.simulator.rxe.SendElement.IOVA;
import static io.verbs4j.simulator.rxe.SendElement.LAST_PSN;
import static io.verbs4j.simulator.rxe.SendElement.LEFT;
import static io.verbs4j.simulator.rxe.SendElement.LENGTH;
import static io.verbs4j.simulator.rxe.SendElement.OFFSET;
import static io.verbs4j.simulator.rxe.SendElement.OPCODE;
import static io.verbs4j.simulator.rxe.SendElement.PAYLOAD;
import static io.verbs4j.simulator.rxe.SendElement.PENDING;
import static io.verbs4j.simulator.rxe.SendElement.POSTED;
import static io.verbs4j.simulator.rxe.SendElement.PROCESSING;
import static io.verbs4j.simulator.rxe.SendElement.REMOTE_ADDRESS;
import static io.verbs4j.simulator.rxe.SendElement.REMOTE_QKEY;
import static io.verbs4j.simulator.rxe.SendElement.REMOTE_QUEUE_PAIR;
import static io.verbs4j.simulator.rxe.SendElement.RKEY;
import static io.verbs4j.simulator.rxe.SendElement.STATE;
import static io.verbs4j.simulator.rxe.SendElement.STATUS;
import static io.verbs4j.simulator.rxe.SendElement.SWAP;

import io.verbs4j.simulator.Behaviour;
import io.verbs4j.types.AsyncEventType;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.SendFlags;
import io.verbs4j.types.WorkRequestOpcode;
import org.jspecify.annotations.Nullable;

/// Turns work requests of the send ring into packets (what rxe_req.c does).
final class Requester {
    /// Packets of a message between two that ask for an acknowledgement.
    private static final int PACKETS_PER_ACKNOWLEDGEMENT = 64;
    /// Packets that may be out without an answer.
    private static final int UNANSWERED = 128;

    private final QueuePair owner;
    private final Ring ring;
    private final LocalOperations local;
    private final Scatter scatter = new Scatter();

    int psn;
    private int opcode = QueuePair.NONE;
    /// The element that is sent next; those before it wait for answers.
    private int index;
    /// Reads and atomics that may still go out.
    int credits;
    boolean waitsForCredit;
    boolean waitsForAnswers;
    boolean waitsAtFence;
    boolean mustRetry;
    boolean waitsForPeer;
    /// Did a local operation since it last had nothing to do.
    boolean ranLocally;
    private int unasked;

    Requester(QueuePair owner) {
        this.owner = owner;
        this.ring = owner.sends;
        this.local = new LocalOperations(owner);
    }

    void reset() {
        opcode = QueuePair.NONE;
        mustRetry = false;
        waitsForPeer = false;
        unasked = 0;
    }

    /// Sends one packet, or does one local operation.
    ///
    /// @return whether there may be more to do
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
        boolean waits = owner.state == QueuePairState.SQD && Memory.word(element + STATE) != PROCESSING;
        return !waits && send(element);
    }

    private boolean send(long element) {
        int elements = Memory.word(element + ELEMENTS);
        int left = Memory.word(element + LEFT);
        int most = owner.maxSendElements();
        if (Integer.compareUnsigned(elements, most) > 0
                || (left != 0 && Integer.compareUnsigned(Memory.word(element + ELEMENT), most) >= 0)) {
            return fail(element, Status.OPERATION);
        }
        int request = Memory.word(element + OPCODE);
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
            Memory.word(element + STATE, DONE);
            Memory.word(element + STATUS, Status.SUCCESS);
            index = ring.next(index);
            return true;
        }
        boolean reliable = owner.shape.type() == QueuePairType.RC;
        if (reliable && Packet.compare(psn, owner.completer.psn + UNANSWERED) > 0) {
            waitsForAnswers = true;
            return false;
        }
        int next = opcode(request, Integer.compareUnsigned(left, owner.mtu) <= 0);
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
        Packet packet = packet(element, next, path, datagram);
        int status = fill(packet, element, bytes);
        if (status != Status.SUCCESS) {
            return fail(element, status);
        }
        if (!owner.device.send(packet)) {
            return fail(element, Status.OPERATION);
        }
        account(packet, element, bytes);
        return true;
    }

    /// A datagram over the MTU is not sent, and nobody is told (IBA vol. 1, C10-93.1.1).
    private boolean pretend(long element) {
        Memory.word(element + FIRST_PSN, psn);
        Memory.word(element + LAST_PSN, psn);
        psn = Packet.next(psn);
        opcode = Opcode.UD | Opcode.SEND_ONLY;
        Memory.word(element + STATE, DONE);
        Memory.word(element + STATUS, Status.SUCCESS);
        index = ring.next(index);
        return true;
    }

    private @Nullable Path path(long element, boolean datagram) {
        if (!datagram) {
            return owner.path;
        }
        RxeDevice.Handle handle = owner.device.handle(Memory.word(element + ADDRESS_HANDLE));
        return handle == null || handle.domain() != owner.shape.domain() ? null : handle.path();
    }

    private Packet packet(long element, int next, Path path, boolean datagram) {
        var packet = new Packet(next, path, owner.device);
        int flags = Memory.word(element + FLAGS);
        packet.sourcePort = SourcePort.of(path, owner.number, owner.attributes.destination);
        packet.psn = psn;
        packet.solicited = (flags & SendFlags.SOLICITED) != 0
                && packet.is(Opcode.END)
                && (packet.is(Opcode.SENDS) || packet.isAll(Opcode.WRITES | Opcode.IMMEDIATE));
        packet.queuePair = datagram ? Memory.word(element + REMOTE_QUEUE_PAIR) : owner.attributes.destination;
        if (owner.shape.type() == QueuePairType.RC) {
            packet.asksForAcknowledgement = packet.is(Opcode.END) || unasked++ > PACKETS_PER_ACKNOWLEDGEMENT;
            if (packet.asksForAcknowledgement) {
                unasked = 0;
            }
        }
        if (packet.is(Opcode.RETH)) {
            packet.key = Memory.word(element + (packet.is(Opcode.FETH) ? FLUSH_RKEY : RKEY));
            packet.remoteAddress = Memory.twoWords(element + IOVA);
            packet.length = Memory.word(element + LEFT);
        }
        if (packet.is(Opcode.FETH)) {
            packet.flushType = Memory.octet(element + FLUSH_TYPE);
            packet.flushLevel = Memory.octet(element + FLUSH_LEVEL);
        }
        if (packet.is(Opcode.IMMEDIATE | Opcode.INVALIDATES)) {
            packet.data = Memory.word(element + DATA);
        }
        if (packet.is(Opcode.ATOMIC_ETH)) {
            packet.remoteAddress = Memory.twoWords(element + IOVA);
            packet.key = Memory.word(element + ATOMIC_RKEY);
            boolean swaps = next == Opcode.COMPARE_SWAP;
            packet.swapOrAdd = Memory.twoWords(element + (swaps ? SWAP : COMPARE_OR_ADD));
            packet.compare = swaps ? Memory.twoWords(element + COMPARE_OR_ADD) : 0;
        }
        if (packet.is(Opcode.DETH)) {
            packet.qkey = Memory.word(element + REMOTE_QKEY);
            packet.sourceQueuePair = owner.number;
        }
        return packet;
    }

    /// Fetches the payload.
    private int fill(Packet packet, long element, int bytes) {
        if (packet.is(Opcode.FLUSHES)) {
            Memory.word(element + LEFT, 0);
            return Status.SUCCESS;
        }
        if (bytes == 0) {
            return Status.SUCCESS;
        }
        var payload = new byte[bytes];
        packet.payload = payload;
        if (packet.is(Opcode.WRITES_ATOMICALLY)) {
            Memory.read(element + PAYLOAD, payload, 0, Math.min(bytes, Long.BYTES));
            Memory.word(element + LEFT, Memory.word(element + LEFT) - bytes);
            return Status.SUCCESS;
        }
        if ((Memory.word(element + FLAGS) & SendFlags.INLINE) != 0) {
            int offset = Memory.word(element + OFFSET);
            if (offset < 0 || offset + bytes > owner.sendRoom) {
                return Status.OPERATION;
            }
            Memory.read(element + PAYLOAD + offset, payload, 0, bytes);
            Memory.word(element + LEFT, Memory.word(element + LEFT) - bytes);
            Memory.word(element + OFFSET, offset + bytes);
            return Status.SUCCESS;
        }
        scatter.load(element + DMA, owner.maxSendElements());
        int result = scatter.copy(owner.device, owner.shape.domain(), payload, 0, bytes, false);
        if (result != Scatter.DONE) {
            return owner.device.has(Behaviour.WRONG_SEND_KEYS_ARE_OPERATION_ERRORS)
                    ? Status.OPERATION
                    : Status.PROTECTION;
        }
        scatter.store(element + DMA);
        return Status.SUCCESS;
    }

    private void account(Packet packet, long element, int bytes) {
        boolean last = packet.is(Opcode.END);
        boolean reliable = owner.shape.type() == QueuePairType.RC;
        Memory.word(element + STATE, last ? reliable ? PENDING : DONE : PROCESSING);
        long total = Integer.toUnsignedLong(Memory.word(element + LEFT)) + bytes;
        int packets = (int) Math.max(1, (total + owner.mtu - 1) / owner.mtu);
        if (packet.is(Opcode.START)) {
            Memory.word(element + FIRST_PSN, psn);
            Memory.word(element + LAST_PSN, (psn + packets - 1) & Packet.PSN_MASK);
        }
        psn = (packet.is(Opcode.READS) ? Memory.word(element + FIRST_PSN) + packets : psn + 1) & Packet.PSN_MASK;
        opcode = packet.opcode;
        if (last) {
            index = ring.next(index);
        }
        owner.completer.retransmission.sent();
    }

    /// A request that fails before it leaves. On newer kernels the queue pair moves to ERR at once, so that the completer
    /// flushes this one with all others; before, the completer reports it when its turn comes.
    private boolean fail(long element, int status) {
        index = ring.next(index);
        Memory.word(element + STATUS, status);
        Memory.word(element + STATE, ERROR);
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
                : (Memory.word(element + FLAGS) & SendFlags.FENCE) != 0 && credits != owner.attributes.reads;
    }

    private boolean takesCredit(long element) {
        if (Memory.word(element + HAS_CREDIT) != 0) {
            return true;
        }
        if (credits == 0) {
            waitsForCredit = true;
            return false;
        }
        credits--;
        waitsForCredit = false;
        Memory.word(element + HAS_CREDIT, 1);
        return true;
    }

    /// Whether the send queue has become empty after a move to SQD.
    private void drained() {
        if (owner.state == QueuePairState.SQD
                && owner.draining
                && index == ring.index()
                && (ring.isEmpty() || Memory.word(ring.head() + STATE) == POSTED)) {
            owner.draining = false;
            owner.tell(AsyncEventType.SEND_QUEUE_DRAINED);
        }
    }

    /// The packet that comes next of a request; negative if the transport has none.
    private int opcode(int request, boolean fits) {
        QueuePairType type = owner.shape.type();
        if (type == QueuePairType.UD) {
            return switch (request) {
                case WorkRequestOpcode.SEND -> Opcode.UD | Opcode.SEND_ONLY;
                case WorkRequestOpcode.SEND_WITH_IMMEDIATE -> Opcode.UD | Opcode.SEND_ONLY_IMMEDIATE;
                default -> -1;
            };
        }
        boolean reliable = type == QueuePairType.RC;
        int transport = reliable ? Opcode.RC : Opcode.UC;
        int last = opcode < 0 ? -1 : opcode & ~Opcode.TRANSPORT;
        boolean sending = last == Opcode.SEND_FIRST || last == Opcode.SEND_MIDDLE;
        boolean writing = last == Opcode.WRITE_FIRST || last == Opcode.WRITE_MIDDLE;
        int send = !fits ? sending ? Opcode.SEND_MIDDLE : Opcode.SEND_FIRST : -1;
        int write = !fits ? writing ? Opcode.WRITE_MIDDLE : Opcode.WRITE_FIRST : -1;
        return switch (request) {
            case WorkRequestOpcode.SEND ->
                transport | (fits ? sending ? Opcode.SEND_LAST : Opcode.SEND_ONLY : send);
            case WorkRequestOpcode.SEND_WITH_IMMEDIATE ->
                transport | (fits ? sending ? Opcode.SEND_LAST_IMMEDIATE : Opcode.SEND_ONLY_IMMEDIATE : send);
            case WorkRequestOpcode.RDMA_WRITE ->
                transport | (fits ? writing ? Opcode.WRITE_LAST : Opcode.WRITE_ONLY : write);
            case WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE ->
                transport | (fits ? writing ? Opcode.WRITE_LAST_IMMEDIATE : Opcode.WRITE_ONLY_IMMEDIATE : write);
            case WorkRequestOpcode.SEND_WITH_INVALIDATE ->
                !reliable ? -1 : fits ? sending ? Opcode.SEND_LAST_INVALIDATE : Opcode.SEND_ONLY_INVALIDATE : send;
            case WorkRequestOpcode.RDMA_READ -> reliable ? Opcode.READ_REQUEST : -1;
            case WorkRequestOpcode.COMPARE_AND_SWAP -> reliable ? Opcode.COMPARE_SWAP : -1;
            case WorkRequestOpcode.FETCH_AND_ADD -> reliable ? Opcode.FETCH_ADD : -1;
            case WorkRequestOpcode.FLUSH -> reliable && hasFlush() ? Opcode.FLUSH : -1;
            case WorkRequestOpcode.ATOMIC_WRITE -> reliable && hasFlush() ? Opcode.ATOMIC_WRITE : -1;
            default -> -1;
        };
    }

    private boolean hasFlush() {
        return owner.device.has(Behaviour.ATOMIC_WRITE_AND_FLUSH);
    }

    /// Begins again with the oldest packet that has no answer.
    private void retry() {
        index = ring.index();
        psn = owner.completer.psn;
        opcode = QueuePair.NONE;
        boolean first = true;
        for (int at = ring.index(); at != ring.peer(); at = ring.next(at)) {
            long element = ring.element(at);
            int state = Memory.word(element + STATE);
            if (state == POSTED) {
                break;
            }
            if (state == DONE) {
                continue;
            }
            int request = Memory.word(element + OPCODE);
            boolean reads = request == WorkRequestOpcode.RDMA_READ;
            Memory.twoWords(element + IOVA, firstAddress(element, request));
            if (!first || !reads) {
                Memory.word(element + LEFT, Memory.word(element + LENGTH));
                Memory.word(element + ELEMENT, 0);
                Memory.word(element + OFFSET, 0);
            }
            if (first) {
                first = false;
                resume(element, request, reads);
            }
            Memory.word(element + STATE, POSTED);
        }
    }

    private long firstAddress(long element, int request) {
        return switch (request) {
            case WorkRequestOpcode.RDMA_READ,
                    WorkRequestOpcode.RDMA_WRITE,
                    WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE,
                    WorkRequestOpcode.COMPARE_AND_SWAP,
                    WorkRequestOpcode.FETCH_AND_ADD ->
                Memory.twoWords(element + REMOTE_ADDRESS);
            case WorkRequestOpcode.FLUSH, WorkRequestOpcode.ATOMIC_WRITE ->
                owner.device.has(Behaviour.REPEATED_ATOMIC_WRITES_LOSE_THEIR_ADDRESS)
                        ? 0
                        : Memory.twoWords(element + REMOTE_ADDRESS);
            default -> 0;
        };
    }

    /// Passes over the packets of the oldest request that have been answered.
    private void resume(long element, int request, boolean reads) {
        if (reads) {
            int done = Memory.word(element + LENGTH) - Memory.word(element + LEFT);
            Memory.twoWords(
                    element + IOVA,
                    Memory.twoWords(element + IOVA) + Integer.toUnsignedLong(done) / owner.mtu * owner.mtu);
            return;
        }
        boolean carries = request <= WorkRequestOpcode.SEND_WITH_IMMEDIATE
                || request == WorkRequestOpcode.SEND_WITH_INVALIDATE;
        int packets = (owner.completer.psn - Memory.word(element + FIRST_PSN)) & Packet.PSN_MASK;
        if (!carries || packets == 0) {
            return;
        }
        scatter.load(element + DMA, owner.maxSendElements());
        boolean inline = (Memory.word(element + FLAGS) & SendFlags.INLINE) != 0;
        for (int i = 0; i < packets; i++) {
            opcode = opcode(request, Integer.compareUnsigned(scatter.left, owner.mtu) <= 0);
            int part = Math.min(scatter.left, owner.mtu);
            if (inline) {
                scatter.left -= part;
                scatter.offset += part;
            } else {
                scatter.skip(part);
            }
        }
        scatter.store(element + DMA);
    }
}
