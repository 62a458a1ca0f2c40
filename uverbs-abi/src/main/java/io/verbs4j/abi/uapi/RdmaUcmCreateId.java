// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.u16;
import static io.verbs4j.abi.uapi.CStruct.u64;
import static io.verbs4j.abi.uapi.CStruct.u8;

/// `struct rdma_ucm_create_id` (include/uapi/rdma/rdma_user_cm.h): request of `RDMA_USER_CM_CMD_CREATE_ID`.
public final class RdmaUcmCreateId {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_create_id",
            u64("uid", "the identifier's number in events; events with 0 are dropped"),
            u64("response", "address of the response"),
            u16("ps", "port space: RDMA_PS_*"),
            u8("qp_type", "IBV_QPT_*"),
            bytes("reserved", 5));

    private RdmaUcmCreateId() {}
}
