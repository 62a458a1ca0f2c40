// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.hole;
import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct group_req` (include/uapi/linux/in.h): an IP multicast group that a socket joins, of either family. Written
/// by user space.
public final class GroupReq {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IN,
            "group_req",
            u32("gr_interface", "the network interface"),
            hole(4),
            bytes("gr_group", 128, "struct sockaddr_in or sockaddr_in6"));

    private GroupReq() {}
}
