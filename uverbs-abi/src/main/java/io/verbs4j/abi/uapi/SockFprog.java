// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.hole;
import static io.verbs4j.abi.uapi.CStruct.u16;
import static io.verbs4j.abi.uapi.CStruct.u64;

/// `struct sock_fprog` (include/uapi/linux/filter.h): a classic BPF program for a socket. Written by user space.
public final class SockFprog {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.FILTER, "sock_fprog", u16("len", "instructions"), hole(6),
            u64("filter", "address of the first instruction"));

    private SockFprog() {}
}
