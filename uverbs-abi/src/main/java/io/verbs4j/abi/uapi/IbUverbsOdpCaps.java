// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

/// `struct ib_uverbs_odp_caps` (include/uapi/rdma/ib_user_verbs.h): capabilities of on-demand paging, part of
/// [IbUverbsExQueryDeviceResp]. Written by the kernel.
public final class IbUverbsOdpCaps {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_odp_caps",
            u64("general_caps", "bit 0: on-demand paging at all; bit 1: implicit regions"),
            CStruct.struct("per_transport_caps", u32("rc_odp_caps"), u32("uc_odp_caps"), u32("ud_odp_caps"))
                    .means("operations that may fault, for each transport (IB_UVERBS_ODP_SUPPORT_*)"),
            u32("reserved"));

    private IbUverbsOdpCaps() {}
}
