// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.step;

import java.util.List;

/// A program in steps. Closing it closes what is open.
interface Walk extends AutoCloseable {
    /// One step.
    ///
    /// @param why what it is for
    /// @param program the calls, as a program writes them
    /// @param action makes them, and shows what came of it
    record Step(String title, String why, String program, Runnable action) {}

    /// Returns all steps, to be done in this order.
    List<Step> steps();

    @Override
    void close();
}
