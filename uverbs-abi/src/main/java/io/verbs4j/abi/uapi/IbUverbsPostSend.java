// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

/// `struct ib_uverbs_post_send` (include/uapi/rdma/ib_user_verbs.h): request of `IB_USER_VERBS_CMD_POST_SEND`. Drivers
/// whose send queue is a ring in shared memory use it without work requests, as a doorbell. Written by user space.
public final class IbUverbsPostSend {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_post_send",
            u64("response", "address of the response buffer of a write(); 0 inside an ioctl"),
            u32("qp_handle"),
            u32("wr_count", "work requests that follow; 0 for a doorbell"),
            u32("sge_count", "buffers that follow; 0 for a doorbell"),
            u32("wqe_size", "bytes of a work request, at least 56; the kernel allocates as many"));

    private IbUverbsPostSend() {}
}
