// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.struct;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

/// `struct ib_uverbs_create_ah` (include/uapi/rdma/ib_user_verbs.h): request of `IB_USER_VERBS_CMD_CREATE_AH`. Written
/// by user space.
public final class IbUverbsCreateAh {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_create_ah",
            u64("response", "address of the response buffer of a write(); 0 inside an ioctl"),
            u64("user_handle"),
            u32("pd_handle"),
            u32("reserved"),
            struct("attr", IbUverbsAhAttr.STRUCT));

    private IbUverbsCreateAh() {}
}
