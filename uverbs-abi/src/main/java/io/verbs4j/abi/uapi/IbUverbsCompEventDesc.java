// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u64;

/// `struct ib_uverbs_comp_event_desc` (include/uapi/rdma/ib_user_verbs.h): one event of a completion channel: the
/// result of a `read()` of its file descriptor. Written by the kernel.
public final class IbUverbsCompEventDesc {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_comp_event_desc",
            u64("cq_handle", "user_handle of the completion queue, despite the name"));

    private IbUverbsCompEventDesc() {}
}
