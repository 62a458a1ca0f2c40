// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.array;
import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct rdma_ucm_query_path_resp` (include/uapi/rdma/rdma_user_cm.h): response to `RDMA_USER_CM_CMD_QUERY` for
/// paths; the [IbPathRecData] records follow.
public final class RdmaUcmQueryPathResp {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_query_path_resp",
            u32("num_paths"),
            u32("reserved"),
            array("path_data", 0, IbPathRecData.STRUCT.layout()));

    private RdmaUcmQueryPathResp() {}
}
