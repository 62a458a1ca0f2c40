// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import java.util.ArrayList;
import java.util.List;

/// Steps, one after the other.
///
/// @param patient whether nothing may be sent twice: then nothing goes to a peer that will not answer, and atomic writes may be
///     part of it, which rxe spoils when it repeats them
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
