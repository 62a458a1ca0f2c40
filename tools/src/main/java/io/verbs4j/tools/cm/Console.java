// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import java.io.PrintWriter;

/// Where a test program prints, line by line.
///
/// @param out the standard output
record Console(PrintWriter out) {
    void print(String line) {
        out.println(line);
        out.flush();
    }
}
