// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// A list of work requests was not posted, because one of them is not valid. None of them was posted. libibverbs, in
/// contrast, posts those before the one that it calls `bad_wr`.
public final class InvalidWorkRequestException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final int index;

    /// @param index the work request's position in the list
    /// @param cause the reason why it is not valid
    public InvalidWorkRequestException(int index, RuntimeException cause) {
        super("work request " + index + " of the list: " + cause.getMessage(), cause);
        this.index = index;
    }

    /// Returns the work request's position in the list, from 0.
    public int index() {
        return index;
    }
}
