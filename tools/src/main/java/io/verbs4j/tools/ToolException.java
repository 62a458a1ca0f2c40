// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools;

/// A command cannot do what it was asked; the message is for the user.
public final class ToolException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /// @param message what is wrong, as a clause without a full stop
    public ToolException(String message) {
        super(message);
    }

    /// @param message what is wrong
    /// @param remedy what to do about it
    public ToolException(String message, String remedy) {
        super(message + "; " + remedy);
    }

    /// Returns the end of a command whose thread was interrupted, and leaves the thread interrupted.
    public static ToolException interrupted() {
        Thread.currentThread().interrupt();
        return new ToolException("interrupted");
    }
}
