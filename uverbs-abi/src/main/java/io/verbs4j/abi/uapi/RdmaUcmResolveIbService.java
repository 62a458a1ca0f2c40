// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.struct;
import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct rdma_ucm_resolve_ib_service` (include/uapi/rdma/rdma_user_cm.h): request of
/// `RDMA_USER_CM_CMD_RESOLVE_IB_SERVICE`.
public final class RdmaUcmResolveIbService {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_resolve_ib_service",
            u32("id"),
            u32("reserved"),
            struct("ibs", RdmaUcmIbService.STRUCT));

    private RdmaUcmResolveIbService() {}
}
