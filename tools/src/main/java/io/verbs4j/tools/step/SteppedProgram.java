// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.step;

import java.util.List;

/// A program in steps. Closing it closes all open objects.
interface SteppedProgram extends AutoCloseable {
    /// A step.
    ///
    /// @param why its purpose
    /// @param program the calls, as in a program
    /// @param action makes the calls, and shows the result
    record Step(String title, String why, String program, Runnable action) {}

    /// Returns all steps in their order.
    List<Step> steps();

    @Override
    void close();
}
