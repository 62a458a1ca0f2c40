// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u16;
import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct pollfd` (include/uapi/asm-generic/poll.h): one file descriptor of a `poll()`. Written by user space, except
/// for `revents`.
public final class Pollfd {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.POLL,
            "pollfd",
            u32("fd"),
            u16("events", "requested events"),
            u16("revents", "events reported by the kernel"));

    private Pollfd() {}
}
