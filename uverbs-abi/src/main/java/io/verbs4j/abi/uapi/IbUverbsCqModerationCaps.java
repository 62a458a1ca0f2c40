// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u16;
import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct ib_uverbs_cq_moderation_caps` (include/uapi/rdma/ib_user_verbs.h): capabilities of completion moderation,
/// part of [IbUverbsExQueryDeviceResp]. Written by the kernel.
public final class IbUverbsCqModerationCaps {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_cq_moderation_caps",
            u16("max_cq_moderation_count", "completions before an event"),
            u16("max_cq_moderation_period", "µs before an event"),
            u32("reserved"));

    private IbUverbsCqModerationCaps() {}
}
