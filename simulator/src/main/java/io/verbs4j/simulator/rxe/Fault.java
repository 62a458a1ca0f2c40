// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

/// Reason why a request is not done (the classes of IBA vol. 1, 9.9.3).
enum Fault {
    NONE,
    /// Not worth an answer.
    DROP,
    OUT_OF_SEQUENCE,
    /// Wrong operation, or a wrong place for it.
    INVALID,
    /// On UC: the message before has no end.
    UNFINISHED,
    NOT_READY,
    ACCESS,
    /// As before, where a receive's completion reports it.
    ACCESS_REPORTED,
    INVALIDATION,
    LENGTH,
    /// The receive is at fault.
    RECEIVE;

    /// Returns the fault of a request for memory that the peer must not touch.
    static Fault ofAccess(Packet packet) {
        return packet.is(Opcode.IMMEDIATE) ? ACCESS_REPORTED : ACCESS;
    }
}
