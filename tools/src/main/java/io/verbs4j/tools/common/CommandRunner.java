// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.common;

import java.io.PrintWriter;

/// Runs a command line of `verbs` within another command.
@FunctionalInterface
public interface CommandRunner {
    /// Runs a command line.
    ///
    /// @return its exit code
    int run(PrintWriter out, PrintWriter err, String... arguments);
}
