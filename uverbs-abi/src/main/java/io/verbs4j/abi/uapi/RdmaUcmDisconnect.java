// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct rdma_ucm_disconnect` (include/uapi/rdma/rdma_user_cm.h): request of `RDMA_USER_CM_CMD_DISCONNECT`.
public final class RdmaUcmDisconnect {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_disconnect",
            u32("id"));

    private RdmaUcmDisconnect() {}
}
