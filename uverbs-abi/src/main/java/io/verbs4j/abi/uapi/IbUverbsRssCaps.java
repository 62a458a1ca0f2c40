// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct ib_uverbs_rss_caps` (include/uapi/rdma/ib_user_verbs.h): capabilities of receive-side scaling, part of
/// [IbUverbsExQueryDeviceResp]. Written by the kernel.
public final class IbUverbsRssCaps {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_rss_caps",
            u32("supported_qpts", "one bit per queue pair type"),
            u32("max_rwq_indirection_tables"),
            u32("max_rwq_indirection_table_size"),
            u32("reserved"));

    private IbUverbsRssCaps() {}
}
