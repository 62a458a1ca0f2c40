// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import io.verbs4j.simulator.profile.Behaviour;
import io.verbs4j.types.AsyncEventType;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import org.jspecify.annotations.Nullable;

/// Executes the peer's requests and answers them (rxe_resp.c).
final class Responder {
    private final QueuePair owner;
    private final boolean reliable;
    private final boolean connected;
    private final RequestChecks checks;
    private final ReceiveSide receive;
    private final RemoteAccess access;
    private final Answers answers;
    private final Resources resources = new Resources();

    int psn;
    private int answeredPsn;
    private int opcode = QueuePair.NONE;
    private boolean dropsMessage;
    private boolean fails;
    private boolean reportedGap;
    private @Nullable Resource answering;

    Responder(QueuePair owner) {
        this.owner = owner;
        this.reliable = owner.shape.type() == QueuePairType.RC;
        this.connected = owner.shape.type() != QueuePairType.UD;
        this.checks = new RequestChecks(owner);
        this.receive = new ReceiveSide(owner);
        this.access = new RemoteAccess(owner, checks);
        this.answers = new Answers(owner);
    }

    void makeRoom(int count) {
        resources.makeRoom(count);
    }

    void reset() {
        answers.reset();
        opcode = QueuePair.NONE;
        dropsMessage = false;
        fails = false;
        reportedGap = false;
        access.leaveRegion();
        resources.clear();
        answering = null;
    }

    /// Handles one request, or sends one packet of a read's response.
    ///
    /// @return whether there may be more work
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
            access.leaveRegion();
        }
        return !fails || error();
    }

    private boolean error() {
        fails = false;
        owner.fail();
        return false;
    }

    /// @return whether the response has more packets, so that the request stays queued
    private boolean take(Packet packet) {
        if (reliable) {
            int difference = Packet.compare(packet.psn, psn);
            if (difference > 0) {
                if (!reportedGap) {
                    reportedGap = true;
                    owner.device.count(Counter.OUT_OF_SEQ_REQUEST);
                    answers.acknowledge(Syndrome.OUT_OF_SEQUENCE, psn);
                }
                return false;
            }
            if (difference < 0) {
                owner.device.count(Counter.DUPLICATE_REQUEST);
                return repeat(packet);
            }
            reportedGap = false;
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
            if (!resources.hasRoom()) {
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
        return packet.is(Opcode.SENDS) ? Fault.NONE : access.check(packet);
    }

    private boolean execute(Packet packet) {
        if (packet.is(Opcode.READS)) {
            answers.countMessage();
            return readReply(packet, prepareRead(packet));
        }
        if (packet.is(Opcode.ATOMIC | Opcode.WRITES_ATOMICALLY | Opcode.FLUSHES)) {
            executeOnce(packet);
            return false;
        }
        Fault fault = Fault.NONE;
        if (!packet.is(Opcode.SENDS)) {
            fault = access.write(packet.payload) ? Fault.NONE : Fault.ofAccess(packet);
        } else if (!receive.bring(packet)) {
            fault = Fault.RECEIVE;
        }
        if (fault == Fault.NONE && packet.is(Opcode.INVALIDATES)) {
            fault = LocalOperations.invalidate(owner.device, packet.data) ? Fault.NONE : Fault.INVALIDATION;
        }
        if (fault != Fault.NONE) {
            refuse(packet, fault);
            return false;
        }
        if (packet.is(Opcode.END)) {
            answers.countMessage();
        }
        passed(packet);
        if (packet.is(Opcode.COMPLETES) && !receive.complete(packet, access.length())) {
            fails = true;
            return false;
        }
        answers.acknowledge(packet);
        return false;
    }

    private void passed(Packet packet) {
        psn = Packet.next(packet.psn);
        answeredPsn = psn;
        opcode = packet.opcode;
    }

    private Resource prepareRead(Packet packet) {
        Resource read = resources.take(packet, Resource.Kind.READ);
        long bytes = Integer.toUnsignedLong(packet.length);
        int packets = (int) Math.max(1, (bytes + owner.mtu - 1) / owner.mtu);
        read.begins = true;
        read.start = access.address();
        read.address = access.address();
        read.length = packet.length;
        read.left = packet.length;
        read.key = packet.length == 0 ? 0 : access.key();
        read.lastPsn = (packet.psn + packets - 1) & Packet.PSN_MASK;
        answering = read;
        return read;
    }

    /// Sends the next packet of a read's response.
    private boolean readReply(Packet packet, Resource read) {
        Region source = access.region();
        access.leaveRegion();
        boolean first = read.begins;
        if (!first || (read.replay && read.left != 0)) {
            source = checks.stillThere(read.key);
            if (source == null) {
                answering = null;
                refuse(packet, Fault.ACCESS_REPORTED);
                return false;
            }
        }
        boolean fits = Integer.compareUnsigned(read.left, owner.mtu) <= 0;
        int kind = first
                ? fits ? Opcode.READ_RESPONSE_ONLY : Opcode.READ_RESPONSE_FIRST
                : fits ? Opcode.READ_RESPONSE_LAST : Opcode.READ_RESPONSE_MIDDLE;
        read.begins = false;
        int bytes = fits ? read.left : owner.mtu;
        Packet answer = answers.prepare(kind, read.psn, Syndrome.ACKNOWLEDGED);
        if (answer == null) {
            return false;
        }
        if (bytes > 0 && source != null) {
            answer.payload = new byte[bytes];
            if (!source.holds(read.address, bytes) || !source.read(read.address, answer.payload, 0, bytes)) {
                answering = null;
                refuse(packet, Fault.ACCESS_REPORTED);
                return false;
            }
        }
        if (!owner.device.send(answer)) {
            refuse(packet, Fault.NOT_READY); // the next request continues this response
            return false;
        }
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

    /// Executes an atomic, an atomic write or a flush once. Duplicates only get the response again.
    private void executeOnce(Packet packet) {
        long original = 0;
        Region target = access.region();
        if (packet.is(Opcode.FLUSHES)) {
            if (!checks.flushes(packet)) {
                refuse(packet, Fault.ofAccess(packet));
                return;
            }
            if (resources.hasRoom()) {
                resources.take(packet, Resource.Kind.FLUSH);
            }
        } else if (target != null) {
            if (!access.change(packet, target)) {
                refuse(packet, Fault.ofAccess(packet));
                return;
            }
            original = access.original();
            resources.take(packet, Resource.Kind.ATOMIC).original = original;
        }
        answers.countMessage();
        passed(packet);
        answers.once(packet, original);
    }

    /// Answers a duplicate request.
    private boolean repeat(Packet packet) {
        if (packet.is(Opcode.SENDS | Opcode.WRITES)) {
            answers.acknowledge(Syndrome.ACKNOWLEDGED, (answeredPsn - 1) & Packet.PSN_MASK);
            return false;
        }
        Resource done = resources.find(packet.psn);
        if (done == null) {
            return false;
        }
        done.replay = true;
        done.psn = packet.psn;
        if (!packet.is(Opcode.READS)) {
            answers.once(packet, done.original);
            return false;
        }
        long from = packet.remoteAddress;
        long bytes = Integer.toUnsignedLong(packet.length);
        if (!Region.contains(done.start, Integer.toUnsignedLong(done.length), from, bytes)
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

    private void refuse(Packet packet, Fault fault) {
        switch (fault) {
            case NOT_READY -> {
                if (reliable) {
                    owner.device.count(Counter.SEND_RNR_ERR);
                    answers.acknowledge(Syndrome.NOT_READY | owner.attributes.rnrTimer, packet.psn);
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
            case ACCESS, ACCESS_REPORTED -> {
                if (reliable) {
                    if (fault == Fault.ACCESS && owner.device.has(Behaviour.REPORTS_ACCESS_ERRORS)) {
                        owner.report(AsyncEventType.QP_ACCESS_ERROR);
                    }
                    end(packet, Syndrome.ACCESS, Status.REMOTE_ACCESS);
                } else {
                    drop(packet, Status.REMOTE_ACCESS);
                }
            }
            // The receiver fails, but the sender gets an acknowledgement.
            case INVALIDATION -> {
                boolean room = receive.complete(packet, Status.REMOTE_REQUEST, 0);
                fails = true;
                if (room && owner.state != QueuePairState.ERR) {
                    answers.acknowledge(packet);
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

    /// Sends a refusal, completes the current receive, and moves to ERR.
    private void end(Packet packet, int saying, int status) {
        fails = true;
        boolean room = receive.complete(packet, status, 0);
        if (reliable && room && owner.state != QueuePairState.ERR) {
            answers.acknowledge(saying, packet.psn);
        }
    }

    /// Drops a packet of an unreliable transport. Only a receive taken from a shared queue completes with an error.
    private void drop(Packet packet, int status) {
        dropsMessage = true;
        if (owner.shape.shared() != null) {
            receive.complete(packet, status, 0);
        }
    }
}
