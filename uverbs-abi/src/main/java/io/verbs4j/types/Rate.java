// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// A data rate of a path or link (`enum ibv_rate`, man ibv_rate_to_mbps(3)).
///
/// @param value the kernel's number (`IBV_RATE_*`)
/// @param multiple the rate as the specification's multiple of 2.5 Gbit/s; 0 if there is none
/// @param megabitsPerSecond the rate on the wire in Mbit/s
public record Rate(int value, int multiple, int megabitsPerSecond) {
    private static final Rate[] ALL = {
            new Rate(2, 1, 2500),
            new Rate(5, 2, 5000),
            new Rate(3, 4, 10_000),
            new Rate(6, 8, 20_000),
            new Rate(4, 12, 30_000),
            new Rate(7, 16, 40_000),
            new Rate(8, 24, 60_000),
            new Rate(9, 32, 80_000),
            new Rate(10, 48, 120_000),
            new Rate(11, 0, 14_062),
            new Rate(12, 0, 56_250),
            new Rate(13, 0, 112_500),
            new Rate(14, 0, 168_750),
            new Rate(15, 0, 25_781),
            new Rate(16, 0, 103_125),
            new Rate(17, 0, 206_250),
            new Rate(18, 0, 309_375),
            new Rate(19, 11, 28_125),
            new Rate(20, 20, 53_125),
            new Rate(21, 160, 425_000),
            new Rate(22, 240, 637_500),
            new Rate(23, 320, 850_000),
            new Rate(24, 480, 1_275_000),
    };

    /// Returns the rate of a kernel number; empty if unknown.
    public static Optional<Rate> of(int value) {
        return find(rate -> rate.value == value);
    }

    /// Returns the rate of the given number of Mbit/s; empty if there is none.
    ///
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_rate_to_mbps.3.html">mbps_to_ibv_rate(3)</a>
    public static Optional<Rate> ofMegabitsPerSecond(int megabitsPerSecond) {
        return find(rate -> rate.megabitsPerSecond == megabitsPerSecond);
    }

    /// Returns the rate of the given multiple of 2.5 Gbit/s; empty if there is none.
    ///
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_rate_to_mult.3.html">mult_to_ibv_rate(3)</a>
    public static Optional<Rate> ofMultiple(int multiple) {
        return find(rate -> rate.multiple == multiple && multiple != 0);
    }

    private static Optional<Rate> find(Predicate<Rate> wanted) {
        return Stream.of(ALL).filter(wanted).findFirst();
    }
}
