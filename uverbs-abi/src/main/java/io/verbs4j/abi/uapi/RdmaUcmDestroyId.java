// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

/// `struct rdma_ucm_destroy_id` (include/uapi/rdma/rdma_user_cm.h): request of `RDMA_USER_CM_CMD_DESTROY_ID` and
/// `RDMA_USER_CM_CMD_LEAVE_MCAST`.
public final class RdmaUcmDestroyId {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_destroy_id",
            u64("response", "address of the response"),
            u32("id"),
            u32("reserved"));

    private RdmaUcmDestroyId() {}
}
