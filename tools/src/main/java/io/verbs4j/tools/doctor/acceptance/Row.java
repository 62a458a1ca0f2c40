// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor.acceptance;

import io.verbs4j.types.Errno;
import java.util.Locale;

/// A row of the checklist.
///
/// @param check the check's name
/// @param outcome the outcome
/// @param micros the duration in microseconds
/// @param errno the kernel's error number; 0 if there is none
/// @param note the observation, or why the check failed or was left out; may be empty
record Row(String check, Outcome outcome, long micros, int errno, String note) {
    /// Returns the row as a line of the report.
    @Override
    public String toString() {
        String line = String.format(
                Locale.ROOT,
                "%-8s  %-50s  %9.1f ms  %-10s  %s",
                outcome,
                check,
                micros / 1000.0,
                errno == 0 ? "-" : Errno.name(errno),
                note);
        return line.stripTrailing();
    }
}
