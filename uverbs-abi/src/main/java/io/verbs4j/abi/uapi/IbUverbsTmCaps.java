// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct ib_uverbs_tm_caps` (include/uapi/rdma/ib_user_verbs.h): capabilities of tag matching, part of
/// [IbUverbsExQueryDeviceResp]. Written by the kernel.
public final class IbUverbsTmCaps {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_tm_caps",
            u32("max_rndv_hdr_size", "bytes of a rendezvous header"),
            u32("max_num_tags"),
            u32("flags"),
            u32("max_ops", "outstanding list operations"),
            u32("max_sge", "buffers of a work request"),
            u32("reserved"));

    private IbUverbsTmCaps() {}
}
