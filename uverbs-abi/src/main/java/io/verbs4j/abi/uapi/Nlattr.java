// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u16;

/// `struct nlattr` (include/uapi/linux/netlink.h): the header of an attribute of a netlink message; the next one starts
/// at a multiple of 4. Written by the sender.
public final class Nlattr {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.NETLINK,
            "nlattr",
            u16("nla_len", "bytes of header and payload, without the padding after it"),
            u16("nla_type", "the attribute"));

    private Nlattr() {}
}
