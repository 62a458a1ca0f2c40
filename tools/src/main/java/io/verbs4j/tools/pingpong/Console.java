// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.GidSelection;
import io.verbs4j.tools.AddressText;
import java.io.PrintWriter;

/// Prints a ping-pong program's output: C's lines on the standard output, our own remarks on the standard error.
///
/// @param out standard output, which a waiting peer's user or a script reads line by line
/// @param err standard error
record Console(PrintWriter out, PrintWriter err) {
    /// A line as C prints it.
    void print(String line) {
        out.println(line);
        out.flush();
    }

    /// Says which GID was chosen, and why.
    void chosen(GidSelection selection) {
        err.println("using GID index " + selection.entry().index() + ", "
                + AddressText.of(selection.entry().gid()) + " (" + selection.reason() + "); -g chooses another");
    }

    /// A work request failed.
    void failed(FailedCompletion failure) {
        out.flush();
        err.println(failure.getMessage());
        err.println("  likely cause: " + failure.likelyCause());
    }
}
