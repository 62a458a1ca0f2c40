// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u64;

/// `struct rdma_ucm_get_event` (include/uapi/rdma/rdma_user_cm.h): request of `RDMA_USER_CM_CMD_GET_EVENT`, whose
/// response is [RdmaUcmEventResp].
public final class RdmaUcmGetEvent {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_get_event",
            u64("response", "address of the response"));

    private RdmaUcmGetEvent() {}
}
