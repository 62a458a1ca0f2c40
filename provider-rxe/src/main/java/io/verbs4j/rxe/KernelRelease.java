// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import java.util.regex.Pattern;

/// Which kernel runs, for what cannot be tried out.
final class KernelRelease {
    private static final Pattern RELEASE = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})(\\D.*)?");

    private KernelRelease() {}

    /// Whether the kernel is older than a version, or does not say.
    static boolean isBefore(int major, int minor) {
        var release = RELEASE.matcher(System.getProperty("os.version", ""));
        if (!release.matches()) {
            return true;
        }
        int present = Integer.parseInt(release.group(1));
        return present < major || (present == major && Integer.parseInt(release.group(2)) < minor);
    }
}
