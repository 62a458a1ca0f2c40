// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.host;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A version of Linux, for features that cannot be probed.
///
/// @param major first number
/// @param minor second number
/// @param patch third number; 0 if missing
public record KernelRelease(int major, int minor, int patch) {
    private static final Pattern RELEASE = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})(?:\\.(\\d{1,4}))?(\\D.*)?");

    /// Returns the running kernel's version.
    public static KernelRelease running() {
        return parse(System.getProperty("os.version", ""));
    }

    /// Parses a release as printed by `uname -r`. Other texts are older than all releases.
    public static KernelRelease parse(String text) {
        var release = RELEASE.matcher(text);
        return release.matches()
                ? new KernelRelease(number(release.group(1)), number(release.group(2)), number(release.group(3)))
                : new KernelRelease(0, 0, 0);
    }

    private static int number(@Nullable String digits) {
        return digits == null ? 0 : Integer.parseInt(digits);
    }

    /// Returns whether this is older than a version.
    public boolean isBefore(int otherMajor, int otherMinor) {
        return isBefore(otherMajor, otherMinor, 0);
    }

    /// Returns whether this is older than a release of a stable series.
    public boolean isBefore(int otherMajor, int otherMinor, int otherPatch) {
        if (major != otherMajor) {
            return major < otherMajor;
        }
        return minor != otherMinor ? minor < otherMinor : patch < otherPatch;
    }
}
