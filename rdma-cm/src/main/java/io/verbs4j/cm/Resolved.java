// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.QueuePair;
import io.verbs4j.abi.failure.Rollback;
import io.verbs4j.types.ConnectionParameters;

/// The second step of connecting: an identifier with a route to the peer, and therefore with a device.
///
/// @param identifier the identifier
/// @param events its events
record Resolved(Identifier identifier, ConnectionEvents events) {
    /// Requests a connection or a datagram destination, and waits for the peer's answer. A failure closes the
    /// identifier, because a device may refuse to destroy a queue pair that the kernel is connecting.
    ///
    /// @param queuePair a queue pair of the identifier's device: in INIT, or in RTS for datagrams
    /// @param offer the offer to the peer, with the number of the queue pair
    /// @param expected the class of the answer
    /// @param missing the missing step, for the message of a timeout
    <T extends CmEvent> T connect(QueuePair queuePair, ConnectionParameters offer, Class<T> expected, String missing)
            throws InterruptedException {
        try (var rollback = new Rollback()) {
            rollback.add(identifier::close);
            identifier.connect(offer);
            T answer = events.await(expected, () -> Silence.explain(queuePair, missing));
            rollback.keep();
            return answer;
        }
    }
}
