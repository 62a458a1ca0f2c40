// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u64;

/// `struct __kernel_timespec` (include/uapi/linux/time_types.h): a time span of a `ppoll()`. Written by user space.
public final class KernelTimespec {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.TIME_TYPES,
            "__kernel_timespec",
            u64("tv_sec"),
            u64("tv_nsec", "below 1000000000"));

    private KernelTimespec() {}
}
