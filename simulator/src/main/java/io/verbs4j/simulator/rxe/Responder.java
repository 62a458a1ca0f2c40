// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import io.verbs4j.simulator.Behaviour;
import io.verbs4j.types.AsyncEventType;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import org.jspecify.annotations.Nullable;

/// Takes the peer's requests, does them, and answers (what rxe_resp.c does).
final class Responder {
    /// Why a request is not done (the classes of IBA vol. 1, 9.9.3).
    private enum Fault {
        NONE,
        /// Not worth an answer.
        DROP,
        OUT_OF_SEQUENCE,
        /// Wrong operation, or a wrong place for it.
        INVALID,
        /// On UC: the message before has no end.
        UNFINISHED,
        NOT_READY,
        ACCESS,
        /// As before, where a receive's completion tells of it.
        ACCESS_TOLD,
        INVALIDATION,
        LENGTH,
        /// The receive is at fault.
        RECEIVE
    }

    private final QueuePair owner;
    private final boolean reliable;
    private final boolean connected;
    private final RequestChecks checks;
    private final ReceiveSide receive;
    private Resource[] resources = {};
    private int oldest;

    int psn;
    private int answeredPsn;
    private int opcode = QueuePair.NONE;
    private int messages;
    private boolean dropsMessage;
    private boolean fails;
    private boolean toldOfGap;
    private @Nullable Resource answering;

    // The peer's memory access that is under way.
    private long address;
    private int left;
    private int length;
    private int key;
    private @Nullable Region region;

    Responder(QueuePair owner) {
        this.owner = owner;
        this.reliable = owner.shape.type() == QueuePairType.RC;
        this.connected = owner.shape.type() != QueuePairType.UD;
        this.checks = new RequestChecks(owner);
        this.receive = new ReceiveSide(owner);
    }

    void makeRoom(int count) {
        resources = new Resource[count];
        for (int i = 0; i < count; i++) {
            resources[i] = new Resource();
        }
        oldest = 0;
    }

    void reset() {
        messages = 0;
        opcode = QueuePair.NONE;
        dropsMessage = false;
        fails = false;
        toldOfGap = false;
        region = null;
        for (Resource resource : resources) {
            resource.kind = Resource.Kind.NOTHING;
        }
        if (!owner.device.has(Behaviour.RESETS_LEAVE_ANSWERS)) {
            answering = null;
        }
    }

    /// Takes one request, or sends one packet of a read's answer.
    ///
    /// @return whether there may be more to do
    boolean step() {
        if (owner.state == QueuePairState.ERR || owner.state == QueuePairState.RESET) {
            owner.requests.clear();
            receive.flush(owner.state == QueuePairState.ERR);
            return false;
        }
        Packet packet = owner.requests.peek();
        if (packet == null) {
            return fails && error();
        }
        boolean sentPart = answering != null ? readReply(packet, answering) : take(packet);
        if (!sentPart) {
            owner.requests.poll();
            region = null;
        }
        return !fails || error();
    }

    private boolean error() {
        fails = false;
        owner.fail();
        return false;
    }

    /// @return whether the answer has more packets, so that the request stays
    private boolean take(Packet packet) {
        if (reliable) {
            int difference = Packet.compare(packet.psn, psn);
            if (difference > 0) {
                if (!toldOfGap) {
                    toldOfGap = true;
                    owner.device.count(Counter.OUT_OF_SEQ_REQUEST);
                    acknowledge(Syndrome.OUT_OF_SEQUENCE, psn);
                }
                return false;
            }
            if (difference < 0) {
                owner.device.count(Counter.DUPLICATE_REQUEST);
                return repeat(packet);
            }
            toldOfGap = false;
        } else if (connected && (dropsMessage || packet.psn != psn)) {
            if (!packet.is(Opcode.START)) {
                dropsMessage = true;
                return false;
            }
            dropsMessage = false;
        }
        Fault fault = check(packet);
        if (fault == Fault.NONE) {
            return execute(packet);
        }
        refuse(packet, fault);
        return false;
    }

    private Fault check(Packet packet) {
        switch (checks.sequence(packet, opcode)) {
            case MISSING_FIRST -> {
                if (reliable) {
                    return Fault.INVALID;
                }
                dropsMessage = true;
                return Fault.DROP;
            }
            case MISSING_LAST -> {
                return reliable ? Fault.INVALID : Fault.UNFINISHED;
            }
            default -> {}
        }
        if (connected && !checks.permits(packet)) {
            if (reliable) {
                return Fault.INVALID;
            }
            dropsMessage = true;
            return Fault.DROP;
        }
        boolean fetches = packet.is(Opcode.READS | Opcode.ATOMIC | Opcode.WRITES_ATOMICALLY);
        if (fetches) {
            if (resources.length == 0) {
                return Fault.INVALID;
            }
        } else if (packet.is(Opcode.TAKES)) {
            ReceiveSide.Taken taken = receive.take();
            if (taken != ReceiveSide.Taken.ONE) {
                return taken == ReceiveSide.Taken.NONE ? Fault.NOT_READY : Fault.RECEIVE;
            }
        }
        if (!connected) {
            return receive.holdsDatagram(packet.payload.length) || !owner.device.has(Behaviour.DROPS_LONG_DATAGRAMS)
                    ? Fault.NONE
                    : Fault.LENGTH;
        }
        if (!checks.length(packet)) {
            return Fault.LENGTH;
        }
        return packet.is(Opcode.SENDS) ? Fault.NONE : checkKey(packet);
    }

    private Fault accessFault(Packet packet) {
        return packet.is(Opcode.IMMEDIATE) ? Fault.ACCESS_TOLD : Fault.ACCESS;
    }

    private Fault checkKey(Packet packet) {
        if (packet.is(Opcode.RETH | Opcode.ATOMIC_ETH)) {
            boolean atomic = packet.is(Opcode.ATOMIC);
            address = packet.remoteAddress + checks.base(packet.key);
            length = atomic ? Long.BYTES : packet.length;
            left = length;
            key = packet.key;
        }
        if (packet.is(Opcode.RETH) && packet.length == 0 && packet.is(Opcode.READS | Opcode.WRITES)) {
            region = null;
            return Fault.NONE;
        }
        if (length == 0 && packet.is(Opcode.WRITES)) {
            return Fault.NONE;
        }
        Region found = checks.region(packet, key, address, left);
        boolean whole = packet.is(Opcode.FLUSHES) && packet.flushLevel != 0;
        if (found == null || (!whole && !found.holds(address, Integer.toUnsignedLong(left)))) {
            return accessFault(packet);
        }
        if (packet.is(Opcode.WRITES_ATOMICALLY)) {
            if (left != Long.BYTES || packet.payload.length != Long.BYTES) {
                return Fault.LENGTH;
            }
        } else if (packet.is(Opcode.WRITES)) {
            int expected = Integer.compareUnsigned(left, owner.mtu) > 0 ? owner.mtu : left;
            if (packet.payload.length != expected) {
                return Fault.LENGTH;
            }
        }
        if (packet.is(Opcode.ATOMIC | Opcode.WRITES_ATOMICALLY) && (found.at(address) & (Long.BYTES - 1)) != 0) {
            return Fault.INVALID;
        }
        region = found;
        return Fault.NONE;
    }

    private boolean execute(Packet packet) {
        if (packet.is(Opcode.READS)) {
            messages++;
            return readReply(packet, prepareRead(packet));
        }
        if (packet.is(Opcode.ATOMIC | Opcode.WRITES_ATOMICALLY | Opcode.FLUSHES)) {
            executeOnce(packet);
            return false;
        }
        Fault fault = packet.is(Opcode.SENDS) ? receive.bring(packet) ? Fault.NONE : Fault.RECEIVE : write(packet);
        if (fault == Fault.NONE && packet.is(Opcode.INVALIDATES)) {
            fault = LocalOperations.invalidate(owner.device, packet.data) ? Fault.NONE : Fault.INVALIDATION;
        }
        if (fault != Fault.NONE) {
            refuse(packet, fault);
            return false;
        }
        if (packet.is(Opcode.END)) {
            messages++;
        }
        passed(packet);
        if (packet.is(Opcode.COMPLETES) && !receive.complete(packet, length)) {
            fails = true;
            return false;
        }
        acknowledge(packet);
        return false;
    }

    private Fault write(Packet packet) {
        byte[] payload = packet.payload;
        if (payload.length > 0 && region != null) {
            Memory.write(payload, 0, region.target(address), payload.length);
        }
        address += payload.length;
        left -= payload.length;
        return Fault.NONE;
    }

    private void passed(Packet packet) {
        psn = Packet.next(packet.psn);
        answeredPsn = psn;
        opcode = packet.opcode;
    }

    private void acknowledge(Packet packet) {
        if (reliable && packet.asksForAcknowledgement) {
            acknowledge(Syndrome.ACKNOWLEDGED, packet.psn);
        }
    }

    private void acknowledge(int saying, int number) {
        answer(Opcode.ACKNOWLEDGE, number, saying);
    }

    private void answer(int kind, int number, int saying) {
        Packet packet = answerPacket(kind, number, saying);
        if (packet != null) {
            owner.device.send(packet);
        }
    }

    private @Nullable Packet answerPacket(int kind, int number, int saying) {
        Path path = owner.path;
        if (path == null) {
            return null;
        }
        var packet = new Packet(kind, path, owner.device);
        packet.sourcePort = SourcePort.of(path, owner.number, owner.attributes.destination);
        packet.queuePair = owner.attributes.destination;
        packet.psn = number;
        packet.syndrome = saying;
        packet.messages = messages & Packet.PSN_MASK;
        return packet;
    }

    private Resource resource(Packet packet, Resource.Kind kind) {
        Resource resource = resources[oldest];
        oldest = (oldest + 1) % resources.length;
        resource.kind = kind;
        resource.replay = false;
        resource.firstPsn = packet.psn;
        resource.lastPsn = packet.psn;
        resource.psn = packet.psn;
        return resource;
    }

    private Resource prepareRead(Packet packet) {
        Resource read = resource(packet, Resource.Kind.READ);
        long bytes = Integer.toUnsignedLong(packet.length);
        int packets = (int) Math.max(1, (bytes + owner.mtu - 1) / owner.mtu);
        read.begins = true;
        read.start = address;
        read.address = address;
        read.length = packet.length;
        read.left = packet.length;
        read.key = packet.length == 0 ? 0 : key;
        read.lastPsn = (packet.psn + packets - 1) & Packet.PSN_MASK;
        answering = read;
        return read;
    }

    /// Sends the next packet of a read's answer.
    private boolean readReply(Packet packet, Resource read) {
        Region source = region;
        region = null;
        boolean first = read.begins;
        if (!first || (read.replay && read.left != 0)) {
            source = checks.stillThere(read.key);
            if (source == null) {
                answering = null;
                refuse(packet, Fault.ACCESS_TOLD);
                return false;
            }
        }
        boolean fits = Integer.compareUnsigned(read.left, owner.mtu) <= 0;
        int kind = first
                ? fits ? Opcode.READ_RESPONSE_ONLY : Opcode.READ_RESPONSE_FIRST
                : fits ? Opcode.READ_RESPONSE_LAST : Opcode.READ_RESPONSE_MIDDLE;
        read.begins = false;
        int bytes = fits ? read.left : owner.mtu;
        Packet answer = answerPacket(kind, read.psn, Syndrome.ACKNOWLEDGED);
        if (answer == null) {
            return false;
        }
        if (bytes > 0 && source != null) {
            if (!source.holds(read.address, bytes)) {
                answering = null;
                refuse(packet, Fault.ACCESS_TOLD);
                return false;
            }
            answer.payload = new byte[bytes];
            Memory.read(source.at(read.address), answer.payload, 0, bytes);
        }
        owner.device.send(answer);
        read.address += bytes;
        read.left -= bytes;
        read.psn = Packet.next(read.psn);
        if (read.left != 0) {
            return true;
        }
        answering = null;
        if (!read.replay) {
            opcode = QueuePair.NONE;
        }
        if (Packet.compare(read.psn, psn) >= 0) {
            psn = read.psn;
        }
        return false;
    }

    /// An atomic, an atomic write or a flush: done once, and answered as often as it comes.
    private void executeOnce(Packet packet) {
        Region target = region;
        if (packet.is(Opcode.FLUSHES)) {
            if (!checks.flushes(packet)) {
                refuse(packet, accessFault(packet));
                return;
            }
            if (resources.length > 0) {
                resource(packet, Resource.Kind.FLUSH);
            }
        } else if (target != null) {
            Resource resource = resource(packet, Resource.Kind.ATOMIC);
            long where = target.at(address);
            if (packet.is(Opcode.WRITES_ATOMICALLY)) {
                Memory.write(packet.payload, 0, where, Long.BYTES);
            } else {
                long present = Memory.twoWords(where);
                resource.original = present;
                if (packet.opcode == Opcode.FETCH_ADD) {
                    Memory.twoWords(where, present + packet.swapOrAdd);
                } else if (present == packet.compare) {
                    Memory.twoWords(where, packet.swapOrAdd);
                }
            }
            messages++;
            passed(packet);
            answerOnce(packet, resource.original);
            return;
        }
        messages++;
        passed(packet);
        answerOnce(packet, 0);
    }

    private void answerOnce(Packet packet, long original) {
        int kind = packet.is(Opcode.ATOMIC) ? Opcode.ATOMIC_ACKNOWLEDGE : Opcode.READ_RESPONSE_ONLY;
        Packet answer = answerPacket(kind, packet.psn, Syndrome.ACKNOWLEDGED);
        if (answer != null) {
            answer.original = original;
            owner.device.send(answer);
        }
    }

    /// A request that came before.
    private boolean repeat(Packet packet) {
        if (packet.is(Opcode.SENDS | Opcode.WRITES)) {
            acknowledge(Syndrome.ACKNOWLEDGED, (answeredPsn - 1) & Packet.PSN_MASK);
            return false;
        }
        Resource done = find(packet.psn);
        if (done == null) {
            return false;
        }
        done.replay = true;
        done.psn = packet.psn;
        if (!packet.is(Opcode.READS)) {
            answerOnce(packet, done.original);
            return false;
        }
        long from = packet.remoteAddress;
        long bytes = Integer.toUnsignedLong(packet.length);
        long end = done.start + Integer.toUnsignedLong(done.length);
        if (from < done.start
                || bytes > Integer.toUnsignedLong(done.length)
                || from + bytes > end
                || (packet.length != 0 && packet.key != done.key)) {
            return false;
        }
        done.begins = packet.psn == done.firstPsn;
        done.start = from;
        done.address = from;
        done.left = packet.length;
        answering = done;
        return readReply(packet, done);
    }

    private @Nullable Resource find(int number) {
        for (Resource resource : resources) {
            if (resource.kind != Resource.Kind.NOTHING
                    && Packet.compare(number, resource.firstPsn) >= 0
                    && Packet.compare(number, resource.lastPsn) <= 0) {
                return resource;
            }
        }
        return null;
    }

    private void refuse(Packet packet, Fault fault) {
        switch (fault) {
            case NOT_READY -> {
                if (reliable) {
                    owner.device.count(Counter.SEND_RNR_ERR);
                    acknowledge(Syndrome.NOT_READY | owner.attributes.rnrTimer, packet.psn);
                } else {
                    dropsMessage = true;
                }
            }
            case INVALID -> end(packet, Syndrome.INVALID_REQUEST, Status.REMOTE_REQUEST);
            case LENGTH -> {
                if (reliable) {
                    end(packet, Syndrome.INVALID_REQUEST, Status.REMOTE_REQUEST);
                } else {
                    drop(packet, Status.REMOTE_REQUEST);
                }
            }
            case ACCESS, ACCESS_TOLD -> {
                if (reliable) {
                    if (fault == Fault.ACCESS && owner.device.has(Behaviour.TELLS_OF_ACCESS_ERRORS)) {
                        owner.tell(AsyncEventType.QP_ACCESS_ERROR);
                    }
                    end(packet, Syndrome.ACCESS, Status.REMOTE_ACCESS);
                } else {
                    drop(packet, Status.REMOTE_ACCESS);
                }
            }
            // The receiver ends, and yet the sender gets an acknowledgement.
            case INVALIDATION -> {
                boolean room = receive.complete(packet, Status.REMOTE_REQUEST, 0);
                fails = true;
                if (room && owner.state != QueuePairState.ERR) {
                    acknowledge(packet);
                }
            }
            case RECEIVE -> {
                if (owner.device.has(Behaviour.BAD_RECEIVES_ARE_OPERATION_ERRORS)) {
                    end(packet, Syndrome.OPERATION, Status.OPERATION);
                } else {
                    boolean tooShort = receive.isTooShort(packet);
                    end(
                            packet,
                            tooShort ? Syndrome.INVALID_REQUEST : Syndrome.OPERATION,
                            tooShort ? Status.LENGTH : Status.PROTECTION);
                }
            }
            case UNFINISHED -> {
                if (owner.shape.shared() != null) {
                    dropsMessage = true;
                    receive.complete(packet, Status.REMOTE_REQUEST, 0);
                } else {
                    receive.restart();
                    opcode = QueuePair.NONE;
                }
            }
            default -> {}
        }
    }

    /// Answers with a refusal, completes the receive that was taken, and goes to ERR.
    private void end(Packet packet, int saying, int status) {
        fails = true;
        boolean room = receive.complete(packet, status, 0);
        if (reliable && room && owner.state != QueuePairState.ERR) {
            acknowledge(saying, packet.psn);
        }
    }

    /// Unreliable: nobody is told but a taken shared receive.
    private void drop(Packet packet, int status) {
        dropsMessage = true;
        if (owner.shape.shared() != null) {
            receive.complete(packet, status, 0);
        }
    }
}
