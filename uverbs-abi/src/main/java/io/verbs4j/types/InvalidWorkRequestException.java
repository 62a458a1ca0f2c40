// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// A list of work requests was not posted, because one of them is not valid. Unlike libibverbs, verbs4j does not post
/// the work requests before the invalid one.
public final class InvalidWorkRequestException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final int index;

    /// @param index the invalid work request's position in the list, from 0
    /// @param cause the reason why the work request is not valid
    public InvalidWorkRequestException(int index, RuntimeException cause) {
        super("work request " + index + " of the list: " + cause.getMessage(), cause);
        this.index = index;
    }

    /// Returns the invalid work request's position in the list, from 0.
    public int index() {
        return index;
    }
}
