// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import static io.verbs4j.simulator.rxe.SendElement.ATOMIC_RKEY;
import static io.verbs4j.simulator.rxe.SendElement.COMPARE_OR_ADD;
import static io.verbs4j.simulator.rxe.SendElement.DATA;
import static io.verbs4j.simulator.rxe.SendElement.DMA;
import static io.verbs4j.simulator.rxe.SendElement.FLAGS;
import static io.verbs4j.simulator.rxe.SendElement.FLUSH_LEVEL;
import static io.verbs4j.simulator.rxe.SendElement.FLUSH_RKEY;
import static io.verbs4j.simulator.rxe.SendElement.FLUSH_TYPE;
import static io.verbs4j.simulator.rxe.SendElement.IOVA;
import static io.verbs4j.simulator.rxe.SendElement.LEFT;
import static io.verbs4j.simulator.rxe.SendElement.OFFSET;
import static io.verbs4j.simulator.rxe.SendElement.PAYLOAD;
import static io.verbs4j.simulator.rxe.SendElement.REMOTE_QKEY;
import static io.verbs4j.simulator.rxe.SendElement.REMOTE_QUEUE_PAIR;
import static io.verbs4j.simulator.rxe.SendElement.RKEY;
import static io.verbs4j.simulator.rxe.SendElement.SWAP;

import io.verbs4j.simulator.profile.Behaviour;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.SendFlags;

/// Creates the packets of work requests: headers and payload from an element of the send ring.
final class RequestPackets {
    /// Number of packets between two requests for an acknowledgement within a message.
    private static final int PACKETS_PER_ACKNOWLEDGEMENT = 64;

    private final QueuePair owner;
    private final Scatter scatter = new Scatter();
    /// Number of packets since the last request for an acknowledgement.
    private int unasked;

    RequestPackets(QueuePair owner) {
        this.owner = owner;
    }

    void reset() {
        unasked = 0;
    }

    /// Returns the packet with its headers.
    ///
    /// @param next its opcode
    Packet prepare(long element, int next, Path path, int psn) {
        var packet = new Packet(next, path, owner.device);
        int flags = Memory.word(element + FLAGS);
        packet.sourcePort = path.sourcePort(owner.number, owner.attributes.destination);
        packet.psn = psn;
        packet.solicited = (flags & SendFlags.SOLICITED) != 0
                && packet.is(Opcode.END)
                && (packet.is(Opcode.SENDS) || packet.isAll(Opcode.WRITES | Opcode.IMMEDIATE));
        packet.queuePair = owner.shape.type() == QueuePairType.UD
                ? Memory.word(element + REMOTE_QUEUE_PAIR)
                : owner.attributes.destination;
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

    /// Copies the payload.
    ///
    /// @return the status of the work request
    int fill(Packet packet, long element, int bytes) {
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
            if (offset < 0 || bytes > owner.sendRoom - offset) {
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
}
