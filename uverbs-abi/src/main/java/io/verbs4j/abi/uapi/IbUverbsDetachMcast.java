// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.u16;
import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct ib_uverbs_detach_mcast` (include/uapi/rdma/ib_user_verbs.h): request of `IB_USER_VERBS_CMD_DETACH_MCAST`,
/// which has no response. Written by user space.
public final class IbUverbsDetachMcast {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_detach_mcast",
            bytes("gid", 16, "the group, network order"),
            u32("qp_handle"),
            u16("mlid", "as at attach"),
            u16("reserved"));

    private IbUverbsDetachMcast() {}
}
