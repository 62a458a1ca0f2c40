// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor;

/// Severity of a finding, and the exit code of a doctor who found nothing worse.
enum Severity {
    /// All is well.
    OK(0),
    /// Good to know.
    NOTE(0),
    /// Something will not work, or not well.
    WARNING(3),
    /// RDMA does not work.
    ERROR(4);

    private final int exitCode;

    Severity(int exitCode) {
        this.exitCode = exitCode;
    }

    int exitCode() {
        return exitCode;
    }
}
