// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// Checks arguments. The messages contain the argument's name, its value and its range.
public final class Ranges {
    private Ranges() {}

    /// Returns `value` if it is in `min` to `max`, both included.
    ///
    /// @throws IllegalArgumentException if `value` is not in this range
    public static int check(String name, int value, int min, int max) {
        if (value < min || value > max) {
            throw outside(name, value, min, max);
        }
        return value;
    }

    /// Returns `value` if it is in `min` to `max`, both included.
    ///
    /// @throws IllegalArgumentException if `value` is not in this range
    public static long check(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw outside(name, value, min, max);
        }
        return value;
    }

    private static IllegalArgumentException outside(String name, long value, long min, long max) {
        return new IllegalArgumentException(name + "=" + value + " is not in " + min + ".." + max);
    }
}
