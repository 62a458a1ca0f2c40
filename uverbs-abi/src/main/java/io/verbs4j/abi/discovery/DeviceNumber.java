// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.discovery;

import org.jspecify.annotations.Nullable;

/// Major and minor number of a character device.
///
/// @param major the driver
/// @param minor the device
record DeviceNumber(int major, int minor) {
    /// Parses the notation of sysfs: `231:192`.
    ///
    /// @return null if the text has another form
    static @Nullable DeviceNumber parse(String text) {
        int colon = text.indexOf(':');
        try {
            return colon < 0
                    ? null
                    : new DeviceNumber(
                            Integer.parseInt(text.substring(0, colon)), Integer.parseInt(text.substring(colon + 1)));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /// Returns the number as in the C library's `st_rdev` (`gnu_dev_makedev`): the low 8 bits of the minor number, 12
    /// of the major, 24 more of the minor, 20 more of the major.
    long toStat() {
        long highMajor = major & 0xfffff000L;
        long highMinor = minor & 0xffffff00L;
        return (minor & 0xff) | (major & 0xfffL) << 8 | highMinor << 12 | highMajor << 32;
    }
}
