// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.common;

/// Thrown when a command cannot do its work. The message is for the user.
public final class ToolException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /// @param message the failure, as a clause without a full stop
    public ToolException(String message) {
        super(message);
    }

    /// @param message the failure
    /// @param remedy the remedy
    public ToolException(String message, String remedy) {
        super(message + "; " + remedy);
    }

    /// Returns the exception for a command whose thread was interrupted. The thread stays interrupted.
    public static ToolException interrupted() {
        Thread.currentThread().interrupt();
        return new ToolException("interrupted");
    }
}
