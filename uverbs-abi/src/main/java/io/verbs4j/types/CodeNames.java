// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// Names of a family of kernel codes, indexed by value. An unknown code is not an error, because a newer kernel may
/// report it. Its name is `UNKNOWN(n)`.
final class CodeNames {
    private final String[] names;

    /// @param names the names by value; an empty string marks a value that is not assigned
    CodeNames(String... names) {
        this.names = names;
    }

    String name(int value) {
        return value >= 0 && value < names.length && !names[value].isEmpty() ? names[value] : "UNKNOWN(" + value + ")";
    }

    boolean known(int value) {
        return value >= 0 && value < names.length && !names[value].isEmpty();
    }
}
