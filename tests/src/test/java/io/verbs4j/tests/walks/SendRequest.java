// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import io.verbs4j.FlushLevel;
import java.util.List;

/// A work request for a send queue.
///
/// @param operation the operation
/// @param signaled whether it reports success
/// @param solicited whether the receiver's completion counts as solicited
/// @param fenced whether it waits for earlier reads and atomics
/// @param inline whether its bytes are copied when it is posted
/// @param parts local memory: the message, the target of a read or atomic, or the memory to bind; for a flush, the
///     length of its range
/// @param target the peer's memory, or the window or region with the key (the peer's for a send with invalidate, our
///     own for a bind and a local invalidate)
/// @param value immediate data; the number to add, swap in or write; the access rights of a bind; or the kind of a
///     flush
/// @param expected the value that a compare-and-swap compares with: 0, or any number that does not occur
record SendRequest(
        Operation operation,
        boolean signaled,
        boolean solicited,
        boolean fenced,
        boolean inline,
        List<Part> parts,
        Target target,
        int value,
        long expected) {
    int length() {
        return parts.stream().mapToInt(Part::length).sum();
    }

    /// Returns what a flush covers.
    FlushLevel flushLevel() {
        return value % 4 == 0 ? FlushLevel.REGION : FlushLevel.RANGE;
    }

    /// Returns whether another one and this one invalidate the same key of the peer.
    boolean invalidatesAgain(SendRequest other) {
        return operation == Operation.SEND_WITH_INVALIDATE
                && other.operation == Operation.SEND_WITH_INVALIDATE
                && target.equals(other.target);
    }

    SendRequest fenced(boolean yes) {
        return new SendRequest(operation, signaled, solicited, yes, inline, parts, target, value, expected);
    }
}
