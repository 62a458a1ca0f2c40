// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.host;

import java.util.regex.Pattern;

/// A version of Linux, for what cannot be tried out.
///
/// @param major first number
/// @param minor second number
public record KernelRelease(int major, int minor) {
    private static final Pattern RELEASE = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})(\\D.*)?");

    /// The running kernel's.
    public static KernelRelease running() {
        return parse(System.getProperty("os.version", ""));
    }

    /// Reads a release as `uname -r` prints it. What is none counts as older than all others: nothing is known of it.
    public static KernelRelease parse(String text) {
        var release = RELEASE.matcher(text);
        return release.matches()
                ? new KernelRelease(Integer.parseInt(release.group(1)), Integer.parseInt(release.group(2)))
                : new KernelRelease(0, 0);
    }

    /// Returns whether this is older than a version.
    public boolean isBefore(int otherMajor, int otherMinor) {
        return major < otherMajor || (major == otherMajor && minor < otherMinor);
    }
}
