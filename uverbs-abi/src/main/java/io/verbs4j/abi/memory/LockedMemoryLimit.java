// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Amount of memory that this process may lock (`RLIMIT_MEMLOCK`), which is what a registration of memory meets first.
public final class LockedMemoryLimit {
    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final String UNLIMITED = "unlimited";
    private static final Pattern LINE =
            Pattern.compile("(?m)^Max locked memory\\s+(\\d+|unlimited)\\s+(\\d+|unlimited)");

    private static final String WITHOUT_LIMIT =
            "the kernel has no memory left to pin %d bytes, or no piece of it that could hold the driver's table of their pages"
                    + " (rxe of Linux 6.12.115 and later: 1 GiB at most), or the device has no memory regions left; the process may"
                    + " lock %s. Register several smaller regions, or memory of which less is registered elsewhere";

    private LockedMemoryLimit() {}

    /// Returns the reason why so many bytes could not be locked, and the remedy.
    public static String explain(long wanted) {
        return explain(wanted, limits());
    }

    /// @param limits contents of `/proc/PID/limits`; empty if it cannot be read
    static String explain(long wanted, String limits) {
        Matcher line = LINE.matcher(limits);
        if (!line.find()) {
            return wanted + " bytes of memory cannot be locked: RLIMIT_MEMLOCK (ulimit -l) is too small";
        }
        if (line.group(1).equals(UNLIMITED)) {
            return WITHOUT_LIMIT.formatted(wanted, "an unlimited amount");
        }
        if (Long.parseLong(line.group(1)) >= wanted) {
            return WITHOUT_LIMIT.formatted(wanted, line.group(1) + " bytes together");
        }
        return wanted + " bytes of memory cannot be locked: the process may lock " + line.group(1)
                + " bytes together (ulimit -l " + Long.parseLong(line.group(1)) / 1024 + ", hard limit " + line.group(2)
                + "); raise memlock in /etc/security/limits.conf or LimitMEMLOCK= of the service, start the container with"
                + " --ulimit memlock=-1, or give the process CAP_IPC_LOCK";
    }

    /// Returns the number of bytes that may be locked.
    ///
    /// @param limits contents of `/proc/PID/limits`
    /// @return empty if it is unlimited, or if that is unknown
    public static OptionalLong bytes(String limits) {
        Matcher line = LINE.matcher(limits);
        return line.find() && !line.group(1).equals(UNLIMITED)
                ? OptionalLong.of(Long.parseLong(line.group(1)))
                : OptionalLong.empty();
    }

    private static String limits() {
        try {
            return Files.readString(LIMITS);
        } catch (IOException e) {
            return "";
        }
    }
}
