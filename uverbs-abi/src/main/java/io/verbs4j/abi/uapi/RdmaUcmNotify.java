// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct rdma_ucm_notify` (include/uapi/rdma/rdma_user_cm.h): request of `RDMA_USER_CM_CMD_NOTIFY`.
public final class RdmaUcmNotify {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_notify",
            u32("id"),
            u32("event", "IBV_EVENT_*"));

    private RdmaUcmNotify() {}
}
