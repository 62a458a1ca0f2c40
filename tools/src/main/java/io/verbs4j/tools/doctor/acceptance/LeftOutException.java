// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor.acceptance;

/// Thrown by a check that does not apply.
final class LeftOutException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /// @param reason the reason, as a clause without a full stop
    LeftOutException(String reason) {
        super(reason);
    }
}
