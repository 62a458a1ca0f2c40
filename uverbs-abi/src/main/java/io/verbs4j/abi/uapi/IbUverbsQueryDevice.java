// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u64;

/// `struct ib_uverbs_query_device` (include/uapi/rdma/ib_user_verbs.h): request of `IB_USER_VERBS_CMD_QUERY_DEVICE`.
/// Written by user space.
public final class IbUverbsQueryDevice {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_query_device",
            u64("response", "address of the response buffer of a write(); 0 inside an ioctl"));

    private IbUverbsQueryDevice() {}
}
