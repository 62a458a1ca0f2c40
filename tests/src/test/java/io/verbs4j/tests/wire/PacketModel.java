// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.wire;

import io.verbs4j.roce.Aeth;
import io.verbs4j.roce.AtomicAckEth;
import io.verbs4j.roce.AtomicEth;
import io.verbs4j.roce.Deth;
import io.verbs4j.roce.Feth;
import io.verbs4j.roce.Ieth;
import io.verbs4j.roce.ImmDt;
import io.verbs4j.roce.Reth;
import io.verbs4j.roce.RoceHeader;
import io.verbs4j.roce.RoceOpcode;
import io.verbs4j.types.QueuePairType;
import java.util.ArrayList;
import java.util.List;

/// The packets of messages as defined by the InfiniBand Architecture Specification, volume 1 (chapter 9; flush and
/// atomic write: supplement A19), on a wire without loss. Each object represents a sending queue pair.
final class PacketModel {
    /// The specification lets the sender choose the packets that request an acknowledgement, but the last of a message
    /// should. rxe also requests one after this number of packets without (`RXE_MAX_PKT_PER_ACK`,
    /// drivers/infiniband/sw/rxe/rxe_param.h).
    private static final int PACKETS_WITHOUT_ACK_REQUEST = 65;

    /// An acknowledgement without an end-to-end credit count, as rxe gives none.
    private static final int ACK = 0x1f;

    private static final int PSN_MASK = 0xff_ffff;

    private final QueuePairType transport;
    private final int mtu;
    private int psn;
    private int messages;
    private int packetsWithoutAckRequest;

    PacketModel(QueuePairType transport, int mtu, int firstPsn) {
        this.transport = transport;
        this.mtu = mtu;
        this.psn = firstPsn;
    }

    /// The parameters of a work request.
    ///
    /// @param data the message, or for a read the data at the peer
    /// @param address address in the peer's memory
    /// @param argument immediate data, or key to invalidate
    /// @param operand value to swap in or to add
    /// @param compare value to compare with
    /// @param original value that an atomic operation finds
    /// @param deth header of a datagram; with its source and Q_Key
    record Message(
            Operation operation,
            byte[] data,
            boolean solicited,
            long address,
            int remoteKey,
            int argument,
            long operand,
            long compare,
            long original,
            Deth deth) {}

    /// The packets of one message.
    record Exchange(List<WirePacket> requests, List<WirePacket> responses) {}

    /// The next message of this queue pair.
    Exchange send(Message message) {
        int requestCount = message.operation.carriesMessage() ? packets(message.data.length) : 1;
        int responseCount = message.operation == Operation.RDMA_READ ? packets(message.data.length) : 1;
        var requests = new ArrayList<WirePacket>();
        var responses = new ArrayList<WirePacket>();
        for (int i = 0; i < requestCount; i++) {
            boolean last = i == requestCount - 1;
            boolean ackRequest = asksForAck(last);
            requests.add(request(message, i, requestCount, ackRequest));
            if (transport == QueuePairType.RC && ackRequest) {
                messages += last ? 1 : 0;
                for (int k = 0; k < (last ? responseCount : 1); k++) {
                    responses.add(response(message, last, k, responseCount, psn + i + k));
                }
            }
        }
        psn = psn + Math.max(requestCount, responseCount) & PSN_MASK; // a read takes as many numbers as answers
        return new Exchange(requests, responses);
    }

    private int packets(int length) {
        return Math.max(1, (length + mtu - 1) / mtu);
    }

    private boolean asksForAck(boolean last) {
        if (transport != QueuePairType.RC) {
            return false;
        }
        boolean asks = last || packetsWithoutAckRequest >= PACKETS_WITHOUT_ACK_REQUEST;
        packetsWithoutAckRequest = asks ? 0 : packetsWithoutAckRequest + 1;
        return asks;
    }

    private WirePacket request(Message message, int index, int count, boolean ackRequest) {
        Operation operation = message.operation;
        boolean first = index == 0;
        boolean last = index == count - 1;
        var headers = new ArrayList<RoceHeader>();
        if (transport == QueuePairType.UD) {
            headers.add(message.deth);
        }
        if (operation == Operation.FLUSH) {
            headers.add(new Feth(1, 0)); // to global visibility, of a range
        }
        boolean namesMemory = !operation.isSend() && !operation.isAtomic();
        if (first && namesMemory) {
            headers.add(new Reth(message.address, message.remoteKey, message.data.length));
        }
        if (operation.isAtomic()) {
            headers.add(new AtomicEth(message.address, message.remoteKey, message.operand, message.compare));
        }
        if (last && operation.hasImmediate()) {
            headers.add(new ImmDt(message.argument));
        }
        if (last && operation == Operation.SEND_WITH_INVALIDATE) {
            headers.add(new Ieth(message.argument));
        }
        int offset = index * mtu;
        int length = operation.carriesMessage() ? Math.min(mtu, message.data.length - offset) : 0;
        return packet(
                operation.code(index, count),
                psn + index,
                ackRequest,
                last && message.solicited && operation.takesReceive(),
                headers,
                message.data,
                offset,
                length);
    }

    private WirePacket response(Message message, boolean last, int index, int count, int number) {
        var aeth = new Aeth(ACK, messages & PSN_MASK);
        if (last && message.operation == Operation.RDMA_READ) {
            int code = count == 1
                    ? Operation.READ_RESPONSE_ONLY
                    : index == 0
                            ? Operation.READ_RESPONSE_FIRST
                            : index == count - 1
                                    ? Operation.READ_RESPONSE_LAST
                                    : Operation.READ_RESPONSE_MIDDLE;
            List<RoceHeader> headers = code == Operation.READ_RESPONSE_MIDDLE ? List.of() : List.of(aeth);
            int length = Math.min(mtu, message.data.length - index * mtu);
            return packet(code, number, false, false, headers, message.data, index * mtu, length);
        }
        if (message.operation.isAtomic()) {
            return answer(Operation.ATOMIC_ACKNOWLEDGE, number, aeth, new AtomicAckEth(message.original));
        }
        boolean likeRead = message.operation == Operation.FLUSH || message.operation == Operation.ATOMIC_WRITE;
        return answer(likeRead ? Operation.READ_RESPONSE_ONLY : Operation.ACKNOWLEDGE, number, aeth);
    }

    private WirePacket answer(int code, int number, RoceHeader... headers) {
        return packet(code, number, false, false, List.of(headers), new byte[0], 0, 0);
    }

    private WirePacket packet(
            int code,
            int number,
            boolean ackRequest,
            boolean solicited,
            List<RoceHeader> headers,
            byte[] data,
            int offset,
            int length) {
        return new WirePacket(
                opcode(code),
                number & PSN_MASK,
                ackRequest,
                solicited,
                -length & 3,
                headers,
                WirePacket.summary(data, offset, length));
    }

    private RoceOpcode opcode(int code) {
        int bits =
                switch (transport) {
                    case RC -> 0;
                    case UC -> 1;
                    case UD -> 3;
                    default -> throw new IllegalStateException("no packets of " + transport);
                };
        return new RoceOpcode(bits << 5 | code);
    }
}
