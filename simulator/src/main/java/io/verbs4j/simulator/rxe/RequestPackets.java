// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

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
        int flags = Memory.word(element + SendElement.FLAGS);
        packet.sourcePort = path.sourcePort(owner.number, owner.attributes.destination);
        packet.psn = psn;
        packet.solicited = (flags & SendFlags.SOLICITED) != 0
                && packet.is(Opcode.END)
                && (packet.is(Opcode.SENDS) || packet.isAll(Opcode.WRITES | Opcode.IMMEDIATE));
        packet.queuePair = owner.shape.type() == QueuePairType.UD
                ? Memory.word(element + SendElement.REMOTE_QUEUE_PAIR)
                : owner.attributes.destination;
        if (owner.shape.type() == QueuePairType.RC) {
            packet.asksForAcknowledgement = packet.is(Opcode.END) || unasked++ > PACKETS_PER_ACKNOWLEDGEMENT;
            if (packet.asksForAcknowledgement) {
                unasked = 0;
            }
        }
        if (packet.is(Opcode.RETH)) {
            packet.key = Memory.word(element + (packet.is(Opcode.FETH) ? SendElement.FLUSH_RKEY : SendElement.RKEY));
            packet.remoteAddress = Memory.twoWords(element + SendElement.IOVA);
            packet.length = Memory.word(element + SendElement.LEFT);
        }
        if (packet.is(Opcode.FETH)) {
            packet.flushType = Memory.octet(element + SendElement.FLUSH_TYPE);
            packet.flushLevel = Memory.octet(element + SendElement.FLUSH_LEVEL);
        }
        if (packet.is(Opcode.IMMEDIATE | Opcode.INVALIDATES)) {
            packet.data = Memory.word(element + SendElement.DATA);
        }
        if (packet.is(Opcode.ATOMIC_ETH)) {
            packet.remoteAddress = Memory.twoWords(element + SendElement.IOVA);
            packet.key = Memory.word(element + SendElement.ATOMIC_RKEY);
            boolean swaps = next == Opcode.COMPARE_SWAP;
            packet.swapOrAdd = Memory.twoWords(element + (swaps ? SendElement.SWAP : SendElement.COMPARE_OR_ADD));
            packet.compare = swaps ? Memory.twoWords(element + SendElement.COMPARE_OR_ADD) : 0;
        }
        if (packet.is(Opcode.DETH)) {
            packet.qkey = Memory.word(element + SendElement.REMOTE_QKEY);
            packet.sourceQueuePair = owner.number;
        }
        return packet;
    }

    /// Copies the payload.
    ///
    /// @return the status of the work request
    int fill(Packet packet, long element, int bytes) {
        if (packet.is(Opcode.FLUSHES)) {
            Memory.word(element + SendElement.LEFT, 0);
            return Status.SUCCESS;
        }
        if (bytes == 0) {
            return Status.SUCCESS;
        }
        var payload = new byte[bytes];
        packet.payload = payload;
        if (packet.is(Opcode.WRITES_ATOMICALLY)) {
            Memory.read(element + SendElement.PAYLOAD, payload, 0, Math.min(bytes, Long.BYTES));
            Memory.word(element + SendElement.LEFT, Memory.word(element + SendElement.LEFT) - bytes);
            return Status.SUCCESS;
        }
        if ((Memory.word(element + SendElement.FLAGS) & SendFlags.INLINE) != 0) {
            int offset = Memory.word(element + SendElement.OFFSET);
            if (offset < 0 || bytes > owner.sendRoom - offset) {
                return Status.OPERATION;
            }
            Memory.read(element + SendElement.PAYLOAD + offset, payload, 0, bytes);
            Memory.word(element + SendElement.LEFT, Memory.word(element + SendElement.LEFT) - bytes);
            Memory.word(element + SendElement.OFFSET, offset + bytes);
            return Status.SUCCESS;
        }
        scatter.load(element + SendElement.DMA, owner.maxSendElements());
        int result = scatter.copy(owner.device, owner.shape.domain(), payload, 0, bytes, false);
        if (result != Scatter.DONE) {
            return owner.device.has(Behaviour.WRONG_SEND_KEYS_ARE_OPERATION_ERRORS)
                    ? Status.OPERATION
                    : Status.PROTECTION;
        }
        scatter.store(element + SendElement.DMA);
        return Status.SUCCESS;
    }
}
