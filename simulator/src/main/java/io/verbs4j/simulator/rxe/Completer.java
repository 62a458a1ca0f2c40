// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import io.verbs4j.simulator.profile.Behaviour;
import io.verbs4j.types.AsyncEventType;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.WorkRequestOpcode;
import org.jspecify.annotations.Nullable;

/// Handles answers, and completes work requests (rxe_comp.c).
@SuppressWarnings("RefactorSwitch") // each case ends in its own way
final class Completer {
    /// The next step after an answer was examined.
    private enum Next {
        /// Examine the request at the head again.
        RETRY,
        /// The answer is finished.
        DONE,
        /// Nothing more can be done now.
        EXIT
    }

    private final QueuePair owner;
    private final Ring ring;
    final Retransmission retransmission;
    private final SendCompletions completions;
    private final Scatter scatter = new Scatter();
    private final byte[] word = new byte[Long.BYTES];

    int psn;
    private int opcode = QueuePair.NONE;
    private boolean again;

    Completer(QueuePair owner) {
        this.owner = owner;
        this.ring = owner.sends;
        this.retransmission = new Retransmission(owner);
        this.completions = new SendCompletions(owner);
    }

    void reset() {
        opcode = QueuePair.NONE;
    }

    /// Handles one answer, and completes requests that have finished.
    ///
    /// @return whether there may be more work
    boolean step() {
        again = false;
        if (owner.state == QueuePairState.ERR || owner.state == QueuePairState.RESET) {
            owner.answers.clear();
            completions.flush(owner.state == QueuePairState.ERR);
            return false;
        }
        boolean late = retransmission.takeTimeout();
        if (owner.requester.mustRetry) {
            return false;
        }
        Packet answer = owner.answers.poll();
        if (answer != null) {
            late = false;
        }
        while (true) {
            switch (look(answer, late)) {
                case RETRY -> {}
                case DONE -> {
                    return true;
                }
                case EXIT -> {
                    return again;
                }
            }
        }
    }

    private Next look(@Nullable Packet answer, boolean late) {
        if (ring.isEmpty()) {
            if (answer == null) {
                retransmission.keepTimer(psn);
            }
            return answer == null ? Next.EXIT : Next.DONE;
        }
        long element = ring.head();
        switch (Memory.word(element + SendElement.STATE)) {
            case SendElement.POSTED -> {
                if (answer != null) {
                    return Next.DONE;
                }
                if (!late) {
                    retransmission.keepTimer(psn);
                }
                return Next.EXIT;
            }
            case SendElement.DONE -> {
                finish(element, answer);
                return Next.RETRY;
            }
            case SendElement.ERROR -> {
                return fail(element, Memory.word(element + SendElement.STATUS));
            }
            default -> {
                if (answer != null) {
                    return take(answer, element, late);
                }
                if (late) {
                    return retry(element, true);
                }
                retransmission.keepTimer(psn);
                return Next.EXIT;
            }
        }
    }

    /// Compares the answer's PSN with the PSN that the oldest request waits for.
    private Next take(Packet answer, long element, boolean late) {
        int request = Memory.word(element + SendElement.OPCODE);
        boolean fetches = isRead(request) || isAtomic(request);
        int last = Memory.word(element + SendElement.LAST_PSN);
        if (Packet.compare(answer.psn, last) > 0) {
            if (Memory.word(element + SendElement.STATE) != SendElement.PENDING) {
                return Next.DONE;
            }
            if (fetches) {
                return retry(element, late);
            }
            retransmission.progress();
            finish(element, answer);
            return Next.RETRY;
        }
        int difference = Packet.compare(answer.psn, psn);
        if (difference < 0) {
            if (answer.psn == last) {
                return complete(answer, element);
            }
            boolean stray = answer.opcode == Opcode.ACKNOWLEDGE && isInAnswer();
            return stray && owner.device.has(Behaviour.STRAY_ACKNOWLEDGEMENTS_END_READS)
                    ? answer(answer, element, request, late)
                    : Next.DONE;
        }
        return difference > 0 && fetches ? Next.DONE : answer(answer, element, request, late);
    }

    private boolean isInAnswer() {
        return opcode == Opcode.READ_RESPONSE_FIRST || opcode == Opcode.READ_RESPONSE_MIDDLE;
    }

    private static boolean isRead(int request) {
        return request == WorkRequestOpcode.RDMA_READ;
    }

    private static boolean isAtomic(int request) {
        return request == WorkRequestOpcode.COMPARE_AND_SWAP || request == WorkRequestOpcode.FETCH_AND_ADD;
    }

    private Next answer(Packet answer, long element, int request, boolean late) {
        if (!isInSequence(answer, element)) {
            return fail(element, Memory.word(element + SendElement.STATUS));
        }
        switch (answer.opcode) {
            case Opcode.READ_RESPONSE_FIRST,
                    Opcode.READ_RESPONSE_MIDDLE,
                    Opcode.READ_RESPONSE_LAST,
                    Opcode.READ_RESPONSE_ONLY -> {
                boolean judges = answer.opcode != Opcode.READ_RESPONSE_MIDDLE;
                if (judges && (answer.syndrome & Syndrome.KIND) != Syndrome.KIND_ACKNOWLEDGED) {
                    return fail(element, Memory.word(element + SendElement.STATUS));
                }
                if (judges && request == WorkRequestOpcode.ATOMIC_WRITE) {
                    return acknowledged(answer, element);
                }
                if (!isRead(request) && request != WorkRequestOpcode.FLUSH) {
                    return fail(element, Status.FATAL);
                }
                retransmission.progress();
                return read(answer, element);
            }
            case Opcode.ATOMIC_ACKNOWLEDGE -> {
                if ((answer.syndrome & Syndrome.KIND) != Syndrome.KIND_ACKNOWLEDGED || !isAtomic(request)) {
                    return fail(element, Memory.word(element + SendElement.STATUS));
                }
                retransmission.progress();
                return atomic(answer, element);
            }
            case Opcode.ACKNOWLEDGE -> {
                return acknowledgement(answer, element, late);
            }
            default -> {
                return fail(element, Memory.word(element + SendElement.STATUS));
            }
        }
    }

    private boolean isInSequence(Packet answer, long element) {
        if (opcode == QueuePair.NONE) {
            return answer.is(Opcode.START);
        }
        if (answer.opcode == Opcode.READ_RESPONSE_MIDDLE || answer.opcode == Opcode.READ_RESPONSE_LAST) {
            return true;
        }
        if (answer.opcode == Opcode.ACKNOWLEDGE) {
            return owner.device.has(Behaviour.STRAY_ACKNOWLEDGEMENTS_END_READS);
        }
        int first = Memory.word(element + SendElement.FIRST_PSN);
        return (answer.psn == first && answer.opcode == Opcode.READ_RESPONSE_FIRST)
                || (first == Memory.word(element + SendElement.LAST_PSN) && answer.opcode == Opcode.READ_RESPONSE_ONLY);
    }

    private Next acknowledgement(Packet answer, long element, boolean late) {
        switch (answer.syndrome & Syndrome.KIND) {
            case Syndrome.KIND_ACKNOWLEDGED -> {
                retransmission.progress();
                return acknowledged(answer, element);
            }
            case Syndrome.NOT_READY -> {
                owner.device.count(Counter.RCVD_RNR_ERR);
                return waitForPeer(answer, element);
            }
            default -> {}
        }
        switch (answer.syndrome) {
            case Syndrome.OUT_OF_SEQUENCE -> {
                if (Packet.compare(answer.psn, psn) > 0) {
                    owner.device.count(Counter.RCVD_SEQ_ERR);
                    psn = answer.psn;
                    letRequesterGoOn();
                }
                return retry(element, late);
            }
            case Syndrome.INVALID_REQUEST -> {
                return fail(element, Status.REMOTE_REQUEST);
            }
            case Syndrome.ACCESS -> {
                return fail(element, Status.REMOTE_ACCESS);
            }
            default -> {
                return fail(element, Status.REMOTE_OPERATION);
            }
        }
    }

    private Next read(Packet answer, long element) {
        scatter.load(element + SendElement.DMA, owner.maxSendElements());
        byte[] payload = answer.payload;
        if (scatter.copy(owner.device, owner.shape.domain(), payload, 0, payload.length, true) != Scatter.DONE) {
            return fail(element, Status.PROTECTION);
        }
        scatter.store(element + SendElement.DMA);
        return scatter.left == 0 && answer.is(Opcode.END) ? complete(answer, element) : advance(answer);
    }

    private Next atomic(Packet answer, long element) {
        for (int i = 0; i < word.length; i++) {
            word[i] = (byte) (answer.original >>> (Byte.SIZE * i));
        }
        scatter.load(element + SendElement.DMA, owner.maxSendElements());
        if (scatter.copy(owner.device, owner.shape.domain(), word, 0, word.length, true) != Scatter.DONE) {
            return fail(element, Status.PROTECTION);
        }
        scatter.store(element + SendElement.DMA);
        return complete(answer, element);
    }

    private Next acknowledged(Packet answer, long element) {
        return Memory.word(element + SendElement.STATE) == SendElement.PENDING
                && Memory.word(element + SendElement.LAST_PSN) == answer.psn
                        ? complete(answer, element)
                        : advance(answer);
    }

    private Next complete(Packet answer, long element) {
        Requester requester = owner.requester;
        if (Memory.word(element + SendElement.HAS_CREDIT) != 0) {
            Memory.word(element + SendElement.HAS_CREDIT, 0);
            requester.credits++;
            if (requester.waitsForCredit) {
                requester.waitsForCredit = false;
                again = true;
            }
        }
        if (owner.state == QueuePairState.SQD && owner.draining && psn == requester.psn) {
            owner.draining = false;
            owner.report(AsyncEventType.SEND_QUEUE_DRAINED);
        }
        complete(element);
        return Packet.compare(answer.psn, psn) >= 0 ? advance(answer) : Next.DONE;
    }

    private Next advance(Packet answer) {
        opcode = answer.is(Opcode.END) ? QueuePair.NONE : answer.opcode;
        if (Packet.compare(answer.psn, psn) >= 0) {
            psn = Packet.next(answer.psn);
        }
        letRequesterGoOn();
        return Next.DONE;
    }

    private void letRequesterGoOn() {
        if (owner.requester.waitsForAnswers) {
            owner.requester.waitsForAnswers = false;
            again = true;
        }
    }

    /// Finishes a request because a later one was answered, or because no answer is expected.
    private void finish(long element, @Nullable Packet answer) {
        if (answer != null && Memory.word(element + SendElement.STATE) == SendElement.PENDING) {
            int last = Memory.word(element + SendElement.LAST_PSN);
            if (Packet.compare(last, psn) >= 0) {
                psn = Packet.next(last);
                opcode = QueuePair.NONE;
            }
            letRequesterGoOn();
        }
        complete(element);
    }

    private Next retry(long element, boolean late) {
        if (Memory.word(element + SendElement.STATE) == SendElement.POSTED) {
            return Next.EXIT;
        }
        if (retransmission.isRetrying() && !late) {
            return Next.DONE;
        }
        if (!retransmission.takeRetry()) {
            owner.device.count(Counter.RETRY_EXCEEDED_ERR);
            return fail(element, Status.RETRIES);
        }
        if (Packet.compare(owner.requester.psn, psn) > 0) {
            owner.device.count(Counter.COMPLETER_RETRY_ERR);
            retransmission.sendAgain();
            again = true;
        }
        return Next.DONE;
    }

    private Next waitForPeer(Packet answer, long element) {
        if (!retransmission.takeRnrRetry()) {
            owner.device.count(Counter.RETRY_RNR_EXCEEDED_ERR);
            return fail(element, Status.RNR_RETRIES);
        }
        retransmission.waitForPeer(answer);
        return Next.EXIT;
    }

    private Next fail(long element, int status) {
        Memory.word(element + SendElement.STATUS, status);
        boolean waits = owner.requester.waitsAtFence;
        complete(element);
        if (waits && owner.device.has(Behaviour.WAITING_REQUESTS_OUTRUN_FAILURES)) {
            owner.requester.sendWhatIsLeft();
        }
        owner.fail();
        return Next.EXIT;
    }

    private void complete(long element) {
        completions.complete(element);
        if (owner.requester.waitsAtFence) {
            owner.requester.waitsAtFence = false;
            again = true;
        }
    }
}
