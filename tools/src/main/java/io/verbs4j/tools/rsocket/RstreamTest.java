// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.rsocket;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// One line of `rstream`: how many transfers of which size, and how often.
///
/// @param iterations rounds; in each, one side sends all transfers, then the other
record RstreamTest(String name, int size, int transfers, int iterations) {
    private static final int KIBI = 1 << 10;
    private static final int MEBI = 1 << 20;
    private static final int GIBI = 1 << 30;
    private static final int LARGEST_EXPONENT = 22;
    private static final int SMALLEST_EXPONENT = 6;
    /// C measures these sizes, and with `-S all` every power of two between, and half-way to the next.
    private static final List<Integer> USUAL = List.of(1 << 6, 1 << 12, 1 << 16, 1 << 20);

    /// Returns the sizes of a run that names none.
    static List<Integer> sizes(boolean all) {
        if (!all) {
            return USUAL;
        }
        var sizes = new ArrayList<Integer>();
        for (int exponent = SMALLEST_EXPONENT; exponent <= LARGEST_EXPONENT; exponent++) {
            sizes.add(1 << exponent);
            if (exponent > SMALLEST_EXPONENT && exponent < LARGEST_EXPONENT) {
                sizes.add((1 << exponent) + (1 << (exponent - 1)));
            }
        }
        sizes.add((1 << LARGEST_EXPONENT) + (1 << (LARGEST_EXPONENT - 1)));
        return List.copyOf(sizes);
    }

    static RstreamTest latency(int size) {
        return new RstreamTest(sizeText(size) + "_lat", size, 1, count(size));
    }

    static RstreamTest bandwidth(int size) {
        return new RstreamTest(sizeText(size) + "_bw", size, count(size), 1);
    }

    private static int count(int size) {
        if (size >= MEBI) {
            return 100;
        }
        return size >= 1 << 16 ? 1000 : size >= KIBI ? 10_000 : 100_000;
    }

    /// Returns the line with its figures.
    String line(long nanos) {
        double micros = nanos / 1e3;
        long bytes = (long) iterations * transfers * size * 2;
        return String.format(
                Locale.ROOT,
                "%-10s%-8s%-8s%-8s%-8s%8.2fs%10.2f%11.2f",
                name,
                sizeText(size),
                countText(transfers),
                countText(iterations),
                sizeText(bytes),
                micros / 1e6,
                bytes * 8 / (1000 * micros),
                micros / iterations / (transfers * 2.0));
    }

    static String header() {
        return String.format(
                Locale.ROOT, "%-10s%-8s%-8s%-8s%-8s%8s %10s%13s", "name", "bytes", "xfers", "iters", "total", "time",
                "Gb/sec", "usec/xfer");
    }

    static String sizeText(long size) {
        long base = size >= GIBI ? GIBI : size >= MEBI ? MEBI : size >= KIBI ? KIBI : 1;
        String unit = size >= GIBI ? "g" : size >= MEBI ? "m" : size >= KIBI ? "k" : "";
        long fraction = size / base < 10 ? size % base * 10 / base : 0;
        return size / base + (fraction > 0 ? "." + fraction : "") + unit;
    }

    private static String countText(long count) {
        if (count >= 1_000_000_000) {
            return count / 1_000_000_000 + "b";
        }
        return count >= 1_000_000 ? count / 1_000_000 + "m" : count >= 1000 ? count / 1000 + "k" : "" + count;
    }
}
