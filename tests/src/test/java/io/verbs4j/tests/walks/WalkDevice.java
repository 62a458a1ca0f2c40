// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import java.util.concurrent.locks.LockSupport;

/// The device that a walk goes over.
interface WalkDevice extends AutoCloseable {
    /// Executes a step.
    ///
    /// @param index the step's number, from which the identifiers of its work requests are derived
    Outcome perform(int index, Step step);

    /// Returns what is to be seen now.
    State state();

    /// Returns whether all that is to be seen is as the model says.
    default boolean isAt(State expected) {
        return expected.differences(state()).isEmpty();
    }

    /// Lets the device work on before the next look at it: its half of the work needs a processor too.
    default void pause(long nanos) {
        LockSupport.parkNanos(nanos);
    }

    @Override
    void close();

    /// Identifier of a work request.
    static long id(int step, int position) {
        return step * 100L + position;
    }
}
