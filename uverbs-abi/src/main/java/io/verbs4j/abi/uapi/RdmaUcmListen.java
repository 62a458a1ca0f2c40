// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct rdma_ucm_listen` (include/uapi/rdma/rdma_user_cm.h): request of `RDMA_USER_CM_CMD_LISTEN`.
public final class RdmaUcmListen {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_listen",
            u32("id"),
            u32("backlog", "maximum number of waiting requests; 0 or too large: net.rdma_ucm.max_backlog"));

    private RdmaUcmListen() {}
}
