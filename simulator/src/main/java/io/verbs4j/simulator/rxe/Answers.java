// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import io.verbs4j.types.QueuePairType;
import org.jspecify.annotations.Nullable;

/// Sends a responder's answers: acknowledgements, refusals, and responses to atomics and flushes.
final class Answers {
    private final QueuePair owner;
    private final boolean reliable;
    /// Number of completed messages. Each answer contains this number.
    private int messages;

    Answers(QueuePair owner) {
        this.owner = owner;
        this.reliable = owner.shape.type() == QueuePairType.RC;
    }

    void reset() {
        messages = 0;
    }

    /// Counts a completed message.
    void countMessage() {
        messages++;
    }

    /// Acknowledges an executed request, if the peer requested this.
    void acknowledge(Packet packet) {
        if (reliable && packet.asksForAcknowledgement) {
            acknowledge(Syndrome.ACKNOWLEDGED, packet.psn);
        }
    }

    /// Sends an acknowledgement or a refusal.
    void acknowledge(int saying, int number) {
        Packet packet = prepare(Opcode.ACKNOWLEDGE, number, saying);
        if (packet != null) {
            owner.device.send(packet);
        }
    }

    /// Answers an atomic, an atomic write or a flush.
    void once(Packet packet, long original) {
        int kind = packet.is(Opcode.ATOMIC) ? Opcode.ATOMIC_ACKNOWLEDGE : Opcode.READ_RESPONSE_ONLY;
        Packet answer = prepare(kind, packet.psn, Syndrome.ACKNOWLEDGED);
        if (answer != null) {
            answer.original = original;
            owner.device.send(answer);
        }
    }

    /// Returns a packet for the peer; null if there is no path to it yet.
    @Nullable
    Packet prepare(int kind, int number, int saying) {
        Path path = owner.path;
        if (path == null) {
            return null;
        }
        var packet = new Packet(kind, path, owner.device);
        packet.sourcePort = path.sourcePort(owner.number, owner.attributes.destination);
        packet.queuePair = owner.attributes.destination;
        packet.psn = number;
        packet.syndrome = saying;
        packet.messages = messages & Packet.PSN_MASK;
        return packet;
    }
}
