// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import java.util.Locale;

/// Prints rstream's table: a line for each test.
final class RstreamReport {
    private static final int K = 1 << 10;
    private static final int M = 1 << 20;
    private static final int G = 1 << 30;
    private static final int THOUSAND = 1_000;
    private static final int MILLION = 1_000_000;
    private static final int BILLION = 1_000_000_000;

    private RstreamReport() {}

    static String head() {
        return "%-10s%-8s%-8s%-8s%-8s%8s %10s%13s"
                .formatted("name", "bytes", "xfers", "iters", "total", "time", "Gb/sec", "usec/xfer");
    }

    static String line(RstreamTest test, long nanos) {
        double micros = nanos / 1000.0;
        double transfers = (double) test.iterations() * test.transfers() * 2;
        double bytes = transfers * test.bytes();
        return String.format(
                Locale.ROOT,
                "%-10s%-8s%-8s%-8s%-8s%8.2fs%10.2f%11.2f",
                test.name(),
                size(test.bytes()),
                count(test.transfers()),
                count(test.iterations()),
                size((long) bytes),
                micros / MILLION,
                bytes * Byte.SIZE / (1000 * micros),
                micros / transfers);
    }

    /// Formats a number of bytes like the C programs: 64, 1.5k, 4m.
    static String size(long bytes) {
        if (bytes >= G) {
            return size(bytes, G, "g");
        }
        if (bytes >= M) {
            return size(bytes, M, "m");
        }
        return bytes >= K ? size(bytes, K, "k") : Long.toString(bytes);
    }

    private static String size(long bytes, long unit, String letter) {
        long whole = bytes / unit;
        long tenths = whole < 10 ? bytes % unit * 10 / unit : 0;
        return whole + (tenths == 0 ? "" : "." + tenths) + letter;
    }

    private static String count(int count) {
        if (count >= BILLION) {
            return count / BILLION + "b";
        }
        if (count >= MILLION) {
            return count / MILLION + "m";
        }
        return count >= THOUSAND ? count / THOUSAND + "k" : Integer.toString(count);
    }
}
