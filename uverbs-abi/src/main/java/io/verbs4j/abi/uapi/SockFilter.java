// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u16;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u8;

/// `struct sock_filter` (include/uapi/linux/filter.h): one instruction of a classic BPF program. Written by user space.
public final class SockFilter {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.FILTER,
            "sock_filter",
            u16("code"),
            u8("jt", "instructions to skip if true"),
            u8("jf", "instructions to skip if false"),
            u32("k"));

    private SockFilter() {}
}
