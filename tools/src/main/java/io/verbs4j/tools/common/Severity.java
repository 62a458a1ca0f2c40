// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.common;

/// Severity of a finding, and the exit code if it is the worst one.
public enum Severity {
    /// No problem.
    OK(0),
    /// For information.
    NOTE(0),
    /// A part does not work, or not well.
    WARNING(3),
    /// RDMA does not work.
    ERROR(4);

    private final int exitCode;

    Severity(int exitCode) {
        this.exitCode = exitCode;
    }

    /// Returns the exit code of a command that has found nothing worse.
    public int exitCode() {
        return exitCode;
    }
}
