// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

/// `struct rdma_ucm_query` (include/uapi/rdma/rdma_user_cm.h): request of `RDMA_USER_CM_CMD_QUERY` and
/// `RDMA_USER_CM_CMD_QUERY_ROUTE`.
public final class RdmaUcmQuery {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_query",
            u64("response", "address of the response"),
            u32("id"),
            u32("option", "RDMA_USER_CM_QUERY_*: 0 addresses, 1 paths, 2 GIDs"));

    private RdmaUcmQuery() {}
}
