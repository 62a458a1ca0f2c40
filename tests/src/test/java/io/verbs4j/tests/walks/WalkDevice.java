// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

/// What a walk goes over.
interface WalkDevice extends AutoCloseable {
    /// Takes a step.
    ///
    /// @param index the step's number, which the identifiers of its work requests are made from
    Outcome perform(int index, Step step);

    /// What is to be seen now.
    State state();

    @Override
    void close();

    /// Identifier of a work request.
    static long id(int step, int position) {
        return step * 100L + position;
    }
}
