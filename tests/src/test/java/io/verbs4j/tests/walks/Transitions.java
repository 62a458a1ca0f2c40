// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import io.verbs4j.types.Errno;
import io.verbs4j.types.QueuePairState;

/// The state machine of a reliably connected queue pair (IBA vol. 1, 10.3.1), as far as a walk goes through it.
final class Transitions {
    private Transitions() {}

    static Outcome perform(EndModel end, EndModel peer, Step.Modify modify) {
        if (!end.open) {
            return Outcome.refusedByLibrary(IllegalStateException.class);
        }
        if (!isLegal(end.state, modify)) {
            return Outcome.refused(Errno.EINVAL);
        }
        switch (modify.state()) {
            case RESET -> end.reset();
            case ERR -> end.fail();
            case INIT -> {
                end.state = QueuePairState.INIT;
                if (modify.attributes() == Step.Attributes.REQUIRED) {
                    end.rights = modify.rights();
                }
            }
            case RTR -> {
                end.state = QueuePairState.RTR;
                end.peerQueuePair = peer.queuePair;
                end.peerLife = peer.life;
            }
            case RTS, SQD -> end.state = modify.state();
            case SQE -> throw new IllegalArgumentException("nobody can ask for it");
        }
        return Outcome.DONE;
    }

    private static boolean isLegal(QueuePairState from, Step.Modify modify) {
        if (modify.attributes() == Step.Attributes.FOREIGN) {
            return false;
        }
        boolean given = modify.attributes() == Step.Attributes.REQUIRED;
        return switch (modify.state()) {
            case RESET -> true;
            case INIT -> from == QueuePairState.RESET && given || from == QueuePairState.INIT;
            case RTR -> from == QueuePairState.INIT && given;
            // Of the attributes that the way from RTR requires, the others permit none.
            case RTS -> from == QueuePairState.RTR
                    ? given
                    : !given && (from == QueuePairState.RTS || from == QueuePairState.SQD);
            case SQD -> from == QueuePairState.RTS || from == QueuePairState.SQD;
            case ERR -> from != QueuePairState.RESET;
            case SQE -> false;
        };
    }
}
