// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.struct;
import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct nlmsgerr` (include/uapi/linux/netlink.h): payload of an `NLMSG_ERROR` message, which is also the
/// acknowledgement. Written by the kernel.
public final class Nlmsgerr {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.NETLINK,
            "nlmsgerr",
            u32("error", "negated error number, 0 for success"),
            struct("msg", Nlmsghdr.STRUCT, "header of the failed message"));

    private Nlmsgerr() {}
}
