// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.step;

import io.verbs4j.Device;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A program in steps, with two ends in one process. Closing it closes all open objects.
///
/// @param <E> an end with its objects
abstract class SteppedProgram<E extends SteppedProgram.End> implements AutoCloseable {
    static final String KERNEL = "Commands to the kernel, and its answers";

    final Device leftDevice;
    final Device rightDevice;
    final StepScreen screen;
    @Nullable E left;
    @Nullable E right;

    SteppedProgram(Device left, Device right, StepScreen screen) {
        this.leftDevice = left;
        this.rightDevice = right;
        this.screen = screen;
    }

    /// One of the two ends.
    interface End extends AutoCloseable {
        @Override
        void close();
    }

    /// A step.
    ///
    /// @param why its purpose
    /// @param program the calls, as in a program
    /// @param action makes the calls, and shows the result
    record Step(String title, String why, String program, Runnable action) {}

    /// Returns all steps in their order.
    abstract List<Step> steps();

    final E left() {
        return Objects.requireNonNull(left);
    }

    final E right() {
        return Objects.requireNonNull(right);
    }

    final void cleanUp() {
        close();
        screen.crossed(KERNEL);
    }

    @Override
    public final void close() {
        try (
                E _ = left;
                E _ = right) {
            left = null;
            right = null;
        }
    }
}
