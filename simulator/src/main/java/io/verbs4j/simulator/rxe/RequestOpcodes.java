// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import io.verbs4j.simulator.profile.Behaviour;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.WorkRequestOpcode;

/// Chooses the opcodes of a work request's packets.
final class RequestOpcodes {
    private RequestOpcodes() {}

    /// Returns the opcode of a request's next packet; negative if the transport has none.
    ///
    /// @param before opcode of the previous packet, or [QueuePair#NONE]
    /// @param fits whether the rest of the message fits into one packet
    static int next(QueuePair owner, int before, int request, boolean fits) {
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
        int last = before < 0 ? -1 : before & ~Opcode.TRANSPORT;
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
            case WorkRequestOpcode.FLUSH -> reliable && hasFlush(owner) ? Opcode.FLUSH : -1;
            case WorkRequestOpcode.ATOMIC_WRITE -> reliable && hasFlush(owner) ? Opcode.ATOMIC_WRITE : -1;
            default -> -1;
        };
    }

    private static boolean hasFlush(QueuePair owner) {
        return owner.device.has(Behaviour.ATOMIC_WRITE_AND_FLUSH);
    }
}
