// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct rdma_ucm_migrate_resp` (include/uapi/rdma/rdma_user_cm.h): response to `RDMA_USER_CM_CMD_MIGRATE_ID`.
public final class RdmaUcmMigrateResp {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_migrate_resp",
            u32("events_reported", "events that user space has read before"));

    private RdmaUcmMigrateResp() {}
}
