// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct ib_uverbs_create_comp_channel_resp` (include/uapi/rdma/ib_user_verbs.h): response to
/// [IbUverbsCreateCompChannel]. Written by the kernel.
public final class IbUverbsCreateCompChannelResp {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_create_comp_channel_resp",
            u32("fd", "file descriptor that the events are read from"));

    private IbUverbsCreateCompChannelResp() {}
}
