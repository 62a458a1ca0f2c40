// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import java.util.ArrayList;
import java.util.List;

/// A sequence of steps.
///
/// @param patient whether retransmissions are excluded: then no requests go to an unresponsive peer, and the walk may
///     contain atomic writes, which rxe corrupts when it repeats them
record Walk(boolean patient, List<Step> steps) {
    /// The steps, with [Step.Connect] written out.
    List<Step> moves() {
        var moves = new ArrayList<Step>();
        for (Step step : steps) {
            if (step instanceof Step.Connect connect) {
                moves.addAll(connect.moves());
            } else {
                moves.add(step);
            }
        }
        return moves;
    }
}
