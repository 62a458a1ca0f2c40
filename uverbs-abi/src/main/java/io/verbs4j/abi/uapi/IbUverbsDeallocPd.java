// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct ib_uverbs_dealloc_pd` (include/uapi/rdma/ib_user_verbs.h): request of `IB_USER_VERBS_CMD_DEALLOC_PD`.
/// Written by user space.
public final class IbUverbsDeallocPd {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_dealloc_pd",
            u32("pd_handle"));

    private IbUverbsDeallocPd() {}
}
