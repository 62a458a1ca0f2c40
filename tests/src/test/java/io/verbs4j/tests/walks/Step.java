// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import io.verbs4j.types.QueuePairState;
import java.util.ArrayList;
import java.util.List;

/// One step of a walk.
sealed interface Step {
    /// The attributes that go with a new state.
    enum Attributes {
        /// Those that the way from the state before requires.
        REQUIRED,
        /// None.
        MISSING,
        /// Those that it requires and one that no way permits.
        FOREIGN
    }

    /// The end that acts.
    Side side();

    /// Moves the queue pair to another state.
    ///
    /// @param rights access rights of the peer in a move to INIT: bits of [io.verbs4j.types.Access]
    record Modify(Side side, QueuePairState state, Attributes attributes, int rights) implements Step {}

    /// Resets both queue pairs and brings both to RTS, in eight moves.
    record Connect(Side side) implements Step {
        List<Step> moves() {
            var moves = new ArrayList<Step>();
            for (var state : List.of(
                    QueuePairState.RESET, QueuePairState.INIT, QueuePairState.RTR, QueuePairState.RTS)) {
                for (Side each : Side.values()) {
                    moves.add(new Modify(each, state, Attributes.REQUIRED, Layout.remoteRights()));
                }
            }
            return moves;
        }
    }

    /// Posts sends, with one doorbell.
    record Send(Side side, List<SendRequest> requests) implements Step {}

    /// Posts receives: of each its buffers.
    record Receive(Side side, List<List<Part>> receives) implements Step {}

    /// Takes completions.
    record Poll(Side side, Queue queue, int max) implements Step {}

    /// Asks for an event.
    record Arm(Side side, Queue queue, boolean solicitedOnly) implements Step {}

    /// Gives a completion queue another size.
    record Resize(Side side, Queue queue, int entries) implements Step {}

    /// Closes a completion queue and makes another.
    record RenewQueue(Side side, Queue queue) implements Step {}

    /// Closes a region and makes another of its kind, which has other keys.
    record RenewRegion(Side side, int region) implements Step {}

    /// Closes a memory window and makes another of its kind.
    record RenewWindow(Side side, int window) implements Step {}

    /// Closes the queue pair.
    record CloseQueuePair(Side side) implements Step {}

    /// Makes another queue pair; does nothing if there is one.
    record CreateQueuePair(Side side) implements Step {}
}
