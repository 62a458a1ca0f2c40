// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe.quirks;

import io.verbs4j.spi.ProviderQueuePair;
import io.verbs4j.types.QueuePairAttribute;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.VerbsException;

/// Repeats the reset of a queue pair that has returned to ERR.
///
/// The kernel's send task may set ERR after the reset has set RESET (`rxe_requester`, rxe_req.c, reads the state,
/// releases its lock, and calls `rxe_qp_error`). By the time the reset command returns, the task has ended. A query of
/// the state then shows whether another reset is necessary.
public final class ResetInError {
    private static final int MAX_RESETS = 8;

    private ResetInError() {}

    /// Resets a queue pair.
    public static void reset(ProviderQueuePair queuePair, Runnable command) {
        command.run();
        for (int i = 0; i < MAX_RESETS && isInError(queuePair); i++) {
            command.run();
        }
    }

    /// Returns false if the query fails, because the reset has succeeded nevertheless.
    private static boolean isInError(ProviderQueuePair queuePair) {
        try {
            return queuePair.query(QueuePairAttribute.STATE.bit()).state() == QueuePairState.ERR;
        } catch (VerbsException e) {
            return false;
        }
    }
}
