// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

/// The reason why a request is not executed (classes of IBA vol. 1, 9.9.3).
enum Fault {
    NONE,
    /// Dropped without an answer.
    DROP,
    OUT_OF_SEQUENCE,
    /// Wrong operation, or an operation in the wrong place.
    INVALID,
    /// On UC: the previous message is incomplete.
    UNFINISHED,
    NOT_READY,
    ACCESS,
    /// Like [#ACCESS], but the completion of a receive reports the failure.
    ACCESS_REPORTED,
    INVALIDATION,
    LENGTH,
    /// The receive caused the failure.
    RECEIVE;

    /// Returns the fault of a request for memory that the peer may not access.
    static Fault ofAccess(Packet packet) {
        return packet.is(Opcode.IMMEDIATE) ? ACCESS_REPORTED : ACCESS;
    }
}
