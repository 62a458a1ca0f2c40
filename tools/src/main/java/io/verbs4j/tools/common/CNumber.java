// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.common;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Reads a number as C's `strtol(…, 0)` does: decimal, hexadecimal with `0x`, or octal with a leading 0.
public abstract class CNumber implements ITypeConverter<Integer> {
    private final int min;
    private final int max;

    /// @param min smallest permitted value
    /// @param max largest permitted value
    protected CNumber(int min, int max) {
        this.min = min;
        this.max = max;
    }

    @Override
    public Integer convert(String text) {
        long number;
        try {
            number = Long.decode(text.strip());
        } catch (NumberFormatException e) {
            throw new TypeConversionException("'" + text + "' is not a number");
        }
        if (number < min || number > max) {
            throw new TypeConversionException("'" + text + "' is out of range: " + range());
        }
        return (int) number;
    }

    private String range() {
        return max == Integer.MAX_VALUE ? min + " or more" : min + ".." + max;
    }

    /// A number of at least 1.
    public static final class Positive extends CNumber {
        /// Called by picocli.
        public Positive() {
            super(1, Integer.MAX_VALUE);
        }
    }

    /// A number of at least 0.
    public static final class NotNegative extends CNumber {
        /// Called by picocli.
        public NotNegative() {
            super(0, Integer.MAX_VALUE);
        }
    }

    /// A port of a device, 1 to 255.
    public static final class DevicePort extends CNumber {
        /// Called by picocli.
        public DevicePort() {
            super(1, 255);
        }
    }
}
