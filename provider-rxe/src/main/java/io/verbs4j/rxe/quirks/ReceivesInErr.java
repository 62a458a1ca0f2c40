// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe.quirks;

import io.verbs4j.spi.ProviderQueuePair;
import io.verbs4j.types.QueuePairAttribute;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;

/// Flushes receives that are posted in ERR.
///
/// The kernel never flushes them: only an arriving packet or a change of state runs the responder (`rxe_qp_error`,
/// rxe_qp.c), and packets that arrive in ERR are dropped earlier. A transition from ERR to ERR runs the responder.
public final class ReceivesInErr {
    private ReceivesInErr() {}

    /// Flushes the receives if the queue pair is in ERR. Queries the state first, because the same command would move a
    /// working queue pair to ERR.
    public static void flush(ProviderQueuePair queuePair) {
        if (queuePair.query(QueuePairAttribute.STATE.bit()).state() == QueuePairState.ERR) {
            queuePair.modify(QueuePairAttributes.builder().state(QueuePairState.ERR).build());
        }
    }
}
