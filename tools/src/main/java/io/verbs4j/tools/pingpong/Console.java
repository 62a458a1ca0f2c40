// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.GidSelection;
import io.verbs4j.tools.common.AddressText;
import java.io.PrintWriter;

/// Prints a ping-pong program's output: C's lines on standard output, additional remarks on standard error.
///
/// @param out standard output, which a user or a script reads line by line
/// @param err standard error
record Console(PrintWriter out, PrintWriter err) {
    /// Prints a line of the C program.
    void print(String line) {
        out.println(line);
        out.flush();
    }

    /// Reports the chosen GID and the reason.
    void chosen(GidSelection selection) {
        err.println("using GID index " + selection.entry().index() + ", "
                + AddressText.of(selection.entry().gid()) + " (" + selection.reason() + "); -g chooses another");
    }

    /// Reports a failed work request.
    void failed(FailedCompletion failure) {
        out.flush();
        err.println(failure.getMessage());
        err.println("  likely cause: " + failure.likelyCause());
    }
}
