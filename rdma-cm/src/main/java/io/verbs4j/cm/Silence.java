// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.Context;
import io.verbs4j.QueuePair;
import io.verbs4j.types.PortState;
import io.verbs4j.types.QueuePairAttribute;
import io.verbs4j.types.VerbsException;

/// Explains why a peer's answer has not arrived.
final class Silence {
    private Silence() {}

    /// Returns why a queue pair's port or device is unusable. If both work, returns `otherwise`.
    static String explain(QueuePair queuePair, String otherwise) {
        Context context = queuePair.protectionDomain().context();
        try {
            int port = queuePair.query(QueuePairAttribute.PORT).port();
            if (!context.port(port).state().equals(PortState.ACTIVE)) {
                return "port " + port + " of " + context.device().name()
                        + " is not active; bring its network interface up";
            }
        } catch (VerbsException | IllegalStateException e) {
            return "the device " + context.device().name() + " does not answer either: " + e.getMessage();
        }
        return otherwise;
    }
}
