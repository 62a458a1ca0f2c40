// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct ib_uverbs_create_ah_resp` (include/uapi/rdma/ib_user_verbs.h): response to [IbUverbsCreateAh]. Written by
/// the kernel.
public final class IbUverbsCreateAhResp {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_create_ah_resp",
            u32("ah_handle"));

    private IbUverbsCreateAhResp() {}
}
