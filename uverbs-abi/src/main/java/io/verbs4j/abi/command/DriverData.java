// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.command;

import java.lang.foreign.MemorySegment;

/// The driver-specific part of a command, which the core forwards: `UVERBS_ATTR_UHW_IN` and `UVERBS_ATTR_UHW_OUT` of an
/// ioctl, or the bytes after request and response of a `write()`.
///
/// @param in input of the driver; a segment of size 0 if there is none
/// @param out buffer for the driver's response; a segment of size 0 if there is none
public record DriverData(MemorySegment in, MemorySegment out) {
    private static final MemorySegment EMPTY = MemorySegment.NULL;

    /// No driver-specific part.
    public static final DriverData NONE = new DriverData(EMPTY, EMPTY);

    /// Returns a part with a response only.
    public static DriverData out(MemorySegment out) {
        return new DriverData(EMPTY, out);
    }

    /// Returns a part with a request only.
    public static DriverData in(MemorySegment in) {
        return new DriverData(in, EMPTY);
    }
}
