// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct rdma_ucm_destroy_id_resp` (include/uapi/rdma/rdma_user_cm.h): response to `RDMA_USER_CM_CMD_DESTROY_ID` and
/// `RDMA_USER_CM_CMD_LEAVE_MCAST`.
public final class RdmaUcmDestroyIdResp {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_destroy_id_resp",
            u32("events_reported", "total events that user space has read"));

    private RdmaUcmDestroyIdResp() {}
}
