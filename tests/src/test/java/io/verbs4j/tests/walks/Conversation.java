// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import io.verbs4j.FlushLevel;
import io.verbs4j.types.Access;
import io.verbs4j.types.CompletionOpcode;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.QueuePairState;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// A model of one work request between two ends: the requester and the responder of the reliable transport (IBA vol. 1,
/// 9.7 and 9.9), packet by packet, with the order of checks in `rxe_responder` (rxe_resp.c).
final class Conversation {
    private static final CompletionStatus SUCCESS = CompletionStatus.SUCCESS;

    private final EndModel requester;
    private final EndModel responder;
    private final SendRequest request;
    private final byte @Nullable [] copied;

    /// @param copied the bytes of an inline request, as they were when it was posted
    Conversation(EndModel requester, EndModel responder, SendRequest request, byte @Nullable [] copied) {
        this.requester = requester;
        this.responder = responder;
        this.request = request;
        this.copied = copied;
    }

    /// Returns whether the peer answers: it is connected with this life of the requester, and ready to receive.
    static boolean reaches(EndModel requester, EndModel responder) {
        return responder.open
                && requester.peerQueuePair == responder.queuePair
                && responder.peerQueuePair == requester.queuePair
                && responder.peerLife == requester.life
                && responder.taken == requester.sent
                && switch (responder.state) {
                    case RTR, RTS, SQD -> true;
                    default -> false;
                };
    }

    /// Runs the request.
    ///
    /// @return the status of its completion; unless it is a success, the requester's queue pair has failed
    CompletionStatus run() {
        CompletionStatus status = request.operation().isLocal() ? local() : remote();
        if (!status.equals(SUCCESS)) {
            requester.fail();
        }
        return status;
    }

    private CompletionStatus local() {
        WindowModel window = request.target().window() ? requester.window(request.target().number()) : null;
        if (request.operation() == Operation.BIND) {
            return bind(window) ? SUCCESS : hidden(CompletionStatus.MEMORY_WINDOW_BIND_ERROR);
        }
        return invalidated(requester, request.target())
                ? SUCCESS
                : hidden(CompletionStatus.LOCAL_QP_OPERATION_ERROR);
    }

    private boolean bind(WindowModel window) {
        Part part = request.parts().getFirst();
        RegionModel region = requester.region(part.region());
        boolean known = window.key == window.deviceKey + 1; // the library has counted this bind already
        if (!known || !window.accepts()) {
            return false;
        }
        window.bind(region, part.length(), request.value(), requester.queuePair);
        return true;
    }

    /// Takes the effect of a local invalidation alone; any other request has none.
    static void invalidate(EndModel owner, SendRequest request) {
        if (request.operation() == Operation.LOCAL_INVALIDATE) {
            invalidated(owner, request.target());
        }
    }

    /// Returns whether a key can be invalidated, and if so does it.
    private static boolean invalidated(EndModel owner, Target target) {
        if (target.wrongKey() || !target.window()) {
            return !target.wrongKey() && !owner.has(Quirk.REGION_KEYS_CANNOT_BE_INVALIDATED);
        }
        WindowModel window = owner.window(target.number());
        if (!window.secondType || !window.keyIsKnown()) {
            return false;
        }
        window.invalidate();
        return true;
    }

    private CompletionStatus hidden(CompletionStatus status) {
        return requester.has(Quirk.LOCAL_FAILURES_ARE_FLUSHES) ? CompletionStatus.WORK_REQUEST_FLUSHED : status;
    }

    private CompletionStatus remote() {
        byte[] message = new byte[0];
        if (request.operation().carries) {
            byte[] gathered = copied == null ? gathered() : copied;
            if (gathered == null) {
                return hidden(
                        requester.has(Quirk.WRONG_SEND_KEYS_ARE_OPERATION_ERRORS)
                                ? CompletionStatus.LOCAL_QP_OPERATION_ERROR
                                : CompletionStatus.LOCAL_PROTECTION_ERROR);
            }
            message = gathered;
        }
        if (!reaches(requester, responder)) {
            return CompletionStatus.RETRY_EXCEEDED;
        }
        requester.sent += request.operation() == Operation.FLUSH ? 1 : packets(request.length());
        return switch (request.operation()) {
            case SEND, SEND_WITH_IMMEDIATE, SEND_WITH_INVALIDATE -> send(message);
            case RDMA_WRITE, RDMA_WRITE_WITH_IMMEDIATE -> write(message);
            case RDMA_READ -> read();
            case COMPARE_AND_SWAP, FETCH_AND_ADD -> atomic();
            case ATOMIC_WRITE -> atomicWrite();
            case FLUSH -> flush();
            case BIND, LOCAL_INVALIDATE -> throw new IllegalStateException("local");
        };
    }

    private byte @Nullable [] gathered() {
        var bytes = new byte[request.length()];
        var buffers = new ScatterModel(requester.buffers(request.parts()));
        return buffers.gather(requester, bytes, 0, bytes.length) ? bytes : null;
    }

    static int packets(int length) {
        return Math.max(1, (length + Layout.MTU - 1) / Layout.MTU);
    }

    private static int payload(int length, int packet) {
        return Math.min(Layout.MTU, length - packet * Layout.MTU);
    }

    private CompletionStatus send(byte[] message) {
        EndModel.Waiting receive = responder.waiting.peek();
        if (receive == null) {
            return CompletionStatus.RECEIVER_NOT_READY_RETRY_EXCEEDED;
        }
        int packets = packets(message.length);
        for (int packet = 0; packet < packets; packet++) {
            int length = payload(message.length, packet);
            if (!receive.buffers().scatter(responder, message, packet * Layout.MTU, length)) {
                return receiveFailed(receive.buffers().holds(length), request.solicited() && packet == packets - 1);
            }
            responder.taken++;
        }
        String invalidated = "";
        if (request.operation() == Operation.SEND_WITH_INVALIDATE) {
            Target target = request.target();
            invalidated = target.window() ? responder.window(target.number()).keyName() : "";
            if (!invalidated(responder, target)) {
                responder.failReceive(CompletionStatus.REMOTE_INVALID_REQUEST, request.solicited());
                responder.fail();
                return SUCCESS; // the message itself was acknowledged (9.9.6.3, class J)
            }
        }
        complete(CompletionOpcode.RECEIVE, message.length, invalidated);
        return SUCCESS;
    }

    /// @param fits whether the message was not too long, but a key was wrong
    private CompletionStatus receiveFailed(boolean fits, boolean solicited) {
        boolean operation = responder.has(Quirk.BAD_RECEIVES_ARE_OPERATION_ERRORS);
        CompletionStatus other =
                fits ? CompletionStatus.LOCAL_PROTECTION_ERROR : CompletionStatus.LOCAL_LENGTH_ERROR;
        responder.failReceive(operation ? CompletionStatus.LOCAL_QP_OPERATION_ERROR : other, solicited);
        responder.fail();
        return operation || fits ? CompletionStatus.REMOTE_OPERATION_ERROR : CompletionStatus.REMOTE_INVALID_REQUEST;
    }

    private void complete(CompletionOpcode opcode, int bytes, String invalidated) {
        boolean immediate = request.operation().hasImmediate();
        responder.completeReceive(
                new WalkCompletion(
                        responder.waiting.element().id(),
                        responder.queuePair,
                        0,
                        opcode.value(),
                        bytes,
                        responder.has(Quirk.RECEIVES_CLAIM_A_ROUTE),
                        immediate,
                        immediate ? request.value() : 0,
                        invalidated),
                request.solicited());
    }

    private CompletionStatus write(byte[] message) {
        if (!permits(Access.REMOTE_WRITE)) {
            return refused(CompletionStatus.REMOTE_INVALID_REQUEST);
        }
        boolean immediate = request.operation().hasImmediate();
        int packets = packets(message.length);
        if (immediate && packets == 1 && responder.waiting.isEmpty()) {
            return CompletionStatus.RECEIVER_NOT_READY_RETRY_EXCEEDED;
        }
        RegionModel region = null;
        if (message.length > 0) {
            region = target(Access.REMOTE_WRITE, message.length);
            if (region == null) {
                if (immediate && packets == 1) {
                    responder.failReceive(CompletionStatus.REMOTE_ACCESS_ERROR, request.solicited());
                }
                return refused(CompletionStatus.REMOTE_ACCESS_ERROR);
            }
        }
        for (int packet = 0; packet < packets; packet++) {
            if (immediate && packet == packets - 1 && responder.waiting.isEmpty()) {
                return CompletionStatus.RECEIVER_NOT_READY_RETRY_EXCEEDED;
            }
            if (region != null) {
                int at = packet * Layout.MTU;
                System.arraycopy(
                        message, at, region.bytes, request.target().offset() + at, payload(message.length, packet));
            }
            responder.taken++;
        }
        if (immediate) {
            complete(CompletionOpcode.RECEIVE_RDMA_WITH_IMMEDIATE, message.length, "");
        }
        return SUCCESS;
    }

    private CompletionStatus read() {
        if (!permits(Access.REMOTE_READ)) {
            return refused(CompletionStatus.REMOTE_INVALID_REQUEST);
        }
        int length = request.length();
        RegionModel region = null;
        if (length > 0) {
            region = target(Access.REMOTE_READ, length);
            if (region == null) {
                return refused(CompletionStatus.REMOTE_ACCESS_ERROR);
            }
        }
        int packets = packets(length);
        responder.taken += packets;
        var buffers = new ScatterModel(requester.buffers(request.parts()));
        for (int packet = 0; region != null && packet < packets; packet++) {
            int from = request.target().offset() + packet * Layout.MTU;
            if (!buffers.scatter(requester, region.bytes, from, payload(length, packet))) {
                return CompletionStatus.LOCAL_PROTECTION_ERROR;
            }
        }
        return SUCCESS;
    }

    private CompletionStatus atomic() {
        if (!permits(Access.REMOTE_ATOMIC)) {
            return refused(CompletionStatus.REMOTE_INVALID_REQUEST);
        }
        RegionModel region = target(Access.REMOTE_ATOMIC, Long.BYTES);
        if (region == null) {
            return refused(CompletionStatus.REMOTE_ACCESS_ERROR);
        }
        responder.taken++;
        var memory = ByteBuffer.wrap(region.bytes).order(ByteOrder.nativeOrder());
        int at = request.target().offset();
        long before = memory.getLong(at);
        if (request.operation() == Operation.FETCH_AND_ADD) {
            memory.putLong(at, before + request.value());
        } else if (before == request.expected()) {
            memory.putLong(at, request.value());
        }
        var old = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder()).putLong(0, before).array();
        return new ScatterModel(requester.buffers(request.parts())).scatter(requester, old, 0, old.length)
                ? SUCCESS
                : CompletionStatus.LOCAL_PROTECTION_ERROR;
    }

    private CompletionStatus atomicWrite() {
        if (!permits(Access.REMOTE_WRITE)) {
            return refused(CompletionStatus.REMOTE_INVALID_REQUEST);
        }
        RegionModel region = target(Access.REMOTE_WRITE, Long.BYTES);
        if (region == null) {
            return refused(CompletionStatus.REMOTE_ACCESS_ERROR);
        }
        responder.taken++;
        ByteBuffer.wrap(region.bytes)
                .order(ByteOrder.nativeOrder())
                .putLong(request.target().offset(), request.value());
        return SUCCESS;
    }

    /// Shows nowhere but in its status: the memory of one machine is the same for all.
    private CompletionStatus flush() {
        if (!permits(Access.FLUSH_GLOBAL)) {
            return refused(CompletionStatus.REMOTE_INVALID_REQUEST);
        }
        boolean reached = request.flushLevel() == FlushLevel.RANGE
                ? target(Access.FLUSH_GLOBAL, request.length()) != null
                : owner(Access.FLUSH_GLOBAL) != null;
        if (!reached) {
            return refused(CompletionStatus.REMOTE_ACCESS_ERROR);
        }
        responder.taken++;
        return SUCCESS;
    }

    private boolean permits(Access right) {
        return (responder.rights & right.value()) != 0;
    }

    /// The responder's memory behind the request's key, if the key grants the right and the range is within it.
    private @Nullable RegionModel target(Access right, int length) {
        RegionModel region = owner(right);
        return region != null && region.holds(request.target().offset(), length) ? region : null;
    }

    /// The responder's memory behind the request's key, if the key grants the right.
    private @Nullable RegionModel owner(Access right) {
        Target target = request.target();
        if (target.wrongKey()) {
            return null;
        }
        if (target.window()) {
            WindowModel window = responder.window(target.number());
            if (!window.keyIsKnown()
                    || !window.valid
                    || window.bound == null
                    || (window.rights & right.value()) == 0
                    || window.secondType && window.queuePair != responder.queuePair
                    || !responder.has(Quirk.WINDOWS_REACH_THE_WHOLE_REGION)) {
                return null;
            }
            return window.bound;
        }
        RegionModel region = responder.region(target.number());
        return region.grants(right.value()) ? region : null;
    }

    /// The responder says no and fails.
    private CompletionStatus refused(CompletionStatus status) {
        responder.fail();
        return status;
    }

    /// Returns whether the state takes work requests at all.
    static boolean sends(QueuePairState state) {
        return state == QueuePairState.RTS || state == QueuePairState.ERR || state == QueuePairState.SQD;
    }
}
