// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The mappings of the process, from `/proc/self/maps`.
final class ProcessMemory {
    private static final Path MAPS = Path.of("/proc/self/maps");

    private ProcessMemory() {}

    /// Returns why the kernel cannot use a range.
    ///
    /// @param written whether the kernel would write to it
    static String fault(long start, long length, boolean written) {
        try {
            return fault(start, length, written, Files.readAllLines(MAPS));
        } catch (IOException e) {
            return "";
        }
    }

    /// @param maps lines of `/proc/PID/maps`, in order of their addresses
    static String fault(long start, long length, boolean written, List<String> maps) {
        long next = start;
        String range = "0x" + Long.toHexString(start) + "…0x" + Long.toHexString(start + length);
        for (String line : maps) {
            String[] words = line.split(" +", 6);
            int dash = words[0].indexOf('-');
            long from = Long.parseUnsignedLong(words[0].substring(0, dash), 16);
            long to = Long.parseUnsignedLong(words[0].substring(dash + 1), 16);
            if (Long.compareUnsigned(to, next) <= 0) {
                continue;
            }
            if (Long.compareUnsigned(from, next) > 0) {
                break;
            }
            String what = words.length > 5 ? " (" + words[5] + ")" : "";
            if (written && !words[1].startsWith("rw")) {
                return "0x" + Long.toHexString(next) + " in the range " + range + " is mapped read-only" + what
                        + ", but the region needs write access";
            }
            if (words[1].endsWith("s") && words[1].startsWith("rw") && !what.isEmpty()) {
                return "the range " + range + " is a shared mapping of a file" + what
                        + ", which newer kernels do not pin; use anonymous, tmpfs or huge-page memory";
            }
            next = to;
            if (Long.compareUnsigned(next, start + length) >= 0) {
                return "";
            }
        }
        return "0x" + Long.toHexString(next) + " in the range " + range + " is not mapped in this process";
    }
}
