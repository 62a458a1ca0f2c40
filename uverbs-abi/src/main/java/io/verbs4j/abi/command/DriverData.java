// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.command;

import java.lang.foreign.MemorySegment;

/// The driver-specific part of a command, which the core passes through: `UVERBS_ATTR_UHW_IN` and `UVERBS_ATTR_UHW_OUT`
/// of an ioctl, or the bytes behind request and response of a `write()`.
///
/// @param in input of the driver; a segment of size 0 if empty
/// @param out where the driver answers; a segment of size 0 for nothing
public record DriverData(MemorySegment in, MemorySegment out) {
    private static final MemorySegment EMPTY = MemorySegment.NULL;

    /// No driver-specific part.
    public static final DriverData NONE = new DriverData(EMPTY, EMPTY);

    /// Only an answer.
    public static DriverData out(MemorySegment out) {
        return new DriverData(EMPTY, out);
    }

    /// Only a request.
    public static DriverData in(MemorySegment in) {
        return new DriverData(in, EMPTY);
    }
}
