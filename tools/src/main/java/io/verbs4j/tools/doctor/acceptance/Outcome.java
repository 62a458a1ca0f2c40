// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor.acceptance;

/// The outcome of a check.
enum Outcome {
    /// The device behaved as required.
    PASSED("passed"),
    /// The device did not behave as required.
    FAILED("failed"),
    /// The check did not apply. The row contains the reason.
    LEFT_OUT("left out");

    private final String text;

    Outcome(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
