// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor.acceptance;

/// The outcome of a check.
enum Outcome {
    /// The device did what it should.
    PASSED("passed"),
    /// It did not.
    FAILED("failed"),
    /// There was nothing to check, and the row says why.
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
