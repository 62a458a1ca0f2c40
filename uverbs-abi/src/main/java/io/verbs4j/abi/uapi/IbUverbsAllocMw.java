// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;
import static io.verbs4j.abi.uapi.CStruct.u8;

/// `struct ib_uverbs_alloc_mw` (include/uapi/rdma/ib_user_verbs.h): request of `IB_USER_VERBS_CMD_ALLOC_MW`. Written by
/// user space.
public final class IbUverbsAllocMw {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_alloc_mw",
            u64("response", "address of the response buffer of a write(); 0 inside an ioctl"),
            u32("pd_handle"),
            u8("mw_type", "1 or 2"),
            bytes("reserved", 3));

    private IbUverbsAllocMw() {}
}
