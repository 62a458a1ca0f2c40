// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools;

import java.io.PrintWriter;

/// Runs a command line of `verbs` within another one.
@FunctionalInterface
public interface CommandRunner {
    /// Runs it.
    ///
    /// @return its exit code
    int run(PrintWriter out, PrintWriter err, String... arguments);
}
