// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u16;
import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct rdma_ucm_cmd_hdr` (include/uapi/rdma/rdma_user_cm.h): header of each command to `/dev/infiniband/rdma_cm`.
public final class RdmaUcmCmdHdr {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_cmd_hdr",
            u32("cmd", "RDMA_USER_CM_CMD_*"),
            u16("in", "bytes of the request after this header"),
            u16("out", "bytes of the response buffer"));

    private RdmaUcmCmdHdr() {}
}
