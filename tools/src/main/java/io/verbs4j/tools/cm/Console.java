// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import java.io.PrintWriter;

/// Prints lines of a test program.
///
/// @param out the standard output
record Console(PrintWriter out) {
    void print(String line) {
        out.println(line);
        out.flush();
    }
}
