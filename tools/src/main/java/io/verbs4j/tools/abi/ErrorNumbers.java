// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.abi;

import io.verbs4j.types.Errno;
import java.util.Locale;
import java.util.OptionalInt;

/// Finds error numbers by the user's input: `ETIMEDOUT`, `etimedout` or `110`.
final class ErrorNumbers {
    /// Greater than all error numbers of verbs.
    static final int LAST = 133;

    private ErrorNumbers() {}

    /// Returns the number of an error; empty if it is unknown.
    static OptionalInt find(String word) {
        String wanted = word.strip().toUpperCase(Locale.ROOT);
        for (int errno = 1; errno <= LAST; errno++) {
            if (wanted.equals(Errno.name(errno)) || wanted.equals(String.valueOf(errno))) {
                return OptionalInt.of(errno);
            }
        }
        return OptionalInt.empty();
    }
}
