// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor.acceptance;

import static io.verbs4j.tools.doctor.acceptance.Peer.request;
import static io.verbs4j.tools.doctor.acceptance.Peer.require;
import static io.verbs4j.types.CompletionStatus.LOCAL_LENGTH_ERROR;
import static io.verbs4j.types.CompletionStatus.LOCAL_PROTECTION_ERROR;
import static io.verbs4j.types.CompletionStatus.LOCAL_QP_OPERATION_ERROR;
import static io.verbs4j.types.CompletionStatus.RECEIVER_NOT_READY_RETRY_EXCEEDED;
import static io.verbs4j.types.CompletionStatus.REMOTE_ACCESS_ERROR;
import static io.verbs4j.types.CompletionStatus.REMOTE_INVALID_REQUEST;
import static io.verbs4j.types.CompletionStatus.REMOTE_OPERATION_ERROR;
import static io.verbs4j.types.CompletionStatus.WORK_REQUEST_FLUSHED;

import io.verbs4j.CompletionRecord;
import io.verbs4j.MemoryRegion;
import io.verbs4j.RemoteMemory;
import io.verbs4j.types.Access;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import java.util.List;

/// Provokes each failure that is possible without harm, and checks the reported status. Each check has a connection of
/// its own, which the failure ends.
///
/// iWARP reports less than InfiniBand. An RDMA write succeeds when TCP has accepted it. If the peer refuses it, the
/// connection ends.
record FailureChecks(Bench bench, Checklist list) {
    private static final int WRONG = 0x5500;

    void run() {
        list.check("failure: write with a wrong rkey", () -> write(Wrong.KEY));
        list.check("failure: write beyond the region", () -> write(Wrong.RANGE));
        list.check("failure: write without access right", () -> write(Wrong.RIGHT));
        list.check("failure: read with a wrong rkey", this::read);
        list.check("failure: send from a wrong lkey", this::wrongLocalKey);
        list.check("failure: message longer than its receive", this::tooLong);
        list.check("failure: no receive (RNR)", this::receiverNotReady);
        list.check("failure: receives and sends are flushed in ERR", this::flushed);
    }

    /// The mistakes in the target of a write.
    private enum Wrong {
        KEY,
        RANGE,
        RIGHT
    }

    private Pair impatient() throws InterruptedException {
        return bench.pair(QueuePairType.RC, builder -> bench.connectsByAddress()
                ? builder
                : builder.timeout(14).retryCount(2).rnrRetry(1).minRnrTimer(1));
    }

    private String write(Wrong wrong) throws InterruptedException {
        try (
                Pair pair = impatient();
                MemoryRegion readable = bench.domain().allocate(64, Access.LOCAL_WRITE, Access.REMOTE_READ)) {
            RemoteMemory right = pair.right().memory().remote();
            RemoteMemory target = switch (wrong) {
                case KEY -> new RemoteMemory(right.address(), right.length(), right.remoteKey() ^ WRONG);
                case RANGE -> new RemoteMemory(right.address() + right.length() - 4, 8, right.remoteKey());
                case RIGHT -> readable.remote();
            };
            pair.left().post(request(1).write().local(pair.left().memory(), 0, 8).remote(target));
            return refused(pair, REMOTE_ACCESS_ERROR);
        }
    }

    private String read() throws InterruptedException {
        try (Pair pair = impatient()) {
            RemoteMemory right = pair.right().memory().remote();
            var target = new RemoteMemory(right.address(), right.length(), right.remoteKey() ^ WRONG);
            pair.left().post(request(1).read().local(pair.left().memory(), 0, 8).remote(target));
            return status(pair.left().next(), 1, bench.connectsByAddress()
                    ? List.of(REMOTE_ACCESS_ERROR, WORK_REQUEST_FLUSHED, REMOTE_OPERATION_ERROR)
                    : List.of(REMOTE_ACCESS_ERROR));
        }
    }

    /// Checks that the peer refuses work request 1. Over iWARP, checks that later work requests are flushed.
    private String refused(Pair pair, CompletionStatus expected) throws InterruptedException {
        CompletionRecord completion = pair.left().next();
        if (!bench.connectsByAddress()) {
            return status(completion, 1, List.of(expected));
        }
        require(completion.workRequestId() == 1, completion.toString());
        pair.left().receive(2, 0, 8);
        CompletionRecord behind = pair.left().next();
        require(!behind.isSuccess(), "the connection did not end: " + behind);
        return "status " + completion.status() + ", then the connection ends";
    }

    private String wrongLocalKey() throws InterruptedException {
        try (Pair pair = impatient()) {
            pair.right().receive(2, 0, 8);
            pair.left()
                    .post(request(1).send()
                            .local(pair.left().memory().address(), 8, pair.left().memory().localKey() ^ WRONG));
            // Some drivers report a consequence instead.
            return status(pair.left().next(), 1,
                    List.of(LOCAL_PROTECTION_ERROR, LOCAL_QP_OPERATION_ERROR, WORK_REQUEST_FLUSHED));
        }
    }

    private String tooLong() throws InterruptedException {
        try (Pair pair = impatient()) {
            pair.right().receive(2, 0, 10);
            pair.left().post(request(1).send().local(pair.left().memory(), 0, 11));
            CompletionRecord received = pair.right().next();
            String atReceiver = status(received, 2, bench.connectsByAddress()
                    ? List.of(LOCAL_LENGTH_ERROR, LOCAL_QP_OPERATION_ERROR, WORK_REQUEST_FLUSHED)
                    : List.of(LOCAL_LENGTH_ERROR, LOCAL_QP_OPERATION_ERROR));
            CompletionRecord sent = pair.left().next();
            require(sent.workRequestId() == 1, sent.toString());
            if (!bench.connectsByAddress()) {
                status(sent, 1, List.of(REMOTE_INVALID_REQUEST, REMOTE_OPERATION_ERROR));
            }
            return atReceiver + " at the receiver, " + sent.status() + " at the sender";
        }
    }

    private String receiverNotReady() throws InterruptedException {
        if (bench.connectsByAddress()) {
            throw new LeftOutException("iWARP has no RNR answer: a message without a receive ends the connection");
        }
        try (Pair pair = impatient()) {
            pair.left().post(request(1).send().local(pair.left().memory(), 0, 8));
            return status(pair.left().next(), 1, List.of(RECEIVER_NOT_READY_RETRY_EXCEEDED));
        }
    }

    private String flushed() throws InterruptedException {
        try (Pair pair = impatient()) {
            Peer left = pair.left();
            left.receive(1, 0, 8);
            left.receive(2, 0, 8);
            left.queuePair().modify(QueuePairAttributes.builder().state(QueuePairState.ERR).build());
            status(left.next(), 1, List.of(WORK_REQUEST_FLUSHED));
            status(left.next(), 2, List.of(WORK_REQUEST_FLUSHED));
            left.receive(3, 0, 8);
            status(left.next(), 3, List.of(WORK_REQUEST_FLUSHED));
            left.post(request(4).send().local(left.memory(), 0, 8));
            return status(left.next(), 4, List.of(WORK_REQUEST_FLUSHED));
        }
    }

    private static String status(CompletionRecord completion, long id, List<CompletionStatus> expected) {
        require(
                completion.workRequestId() == id && expected.contains(completion.status()),
                "expected " + expected + " of work request " + id + ", got " + completion + ", vendor error "
                        + completion.vendorError());
        return "status " + completion.status() + ", vendor error " + completion.vendorError();
    }
}
