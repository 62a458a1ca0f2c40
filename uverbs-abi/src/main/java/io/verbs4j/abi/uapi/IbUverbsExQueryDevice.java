// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct ib_uverbs_ex_query_device` (include/uapi/rdma/ib_user_verbs.h): request of
/// `IB_USER_VERBS_EX_CMD_QUERY_DEVICE`. Written by user space.
public final class IbUverbsExQueryDevice {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_ex_query_device",
            u32("comp_mask", "0, otherwise EINVAL"),
            u32("reserved", "0, otherwise EINVAL"));

    private IbUverbsExQueryDevice() {}
}
