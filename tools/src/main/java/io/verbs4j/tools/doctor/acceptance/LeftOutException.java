// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor.acceptance;

/// A check finds that there is nothing to check.
final class LeftOutException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /// @param reason as a clause without a full stop
    LeftOutException(String reason) {
        super(reason);
    }
}
