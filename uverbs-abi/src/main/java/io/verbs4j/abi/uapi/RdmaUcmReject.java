// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u8;

/// `struct rdma_ucm_reject` (include/uapi/rdma/rdma_user_cm.h): request of `RDMA_USER_CM_CMD_REJECT`.
public final class RdmaUcmReject {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_reject",
            u32("id"),
            u8("private_data_len"),
            u8("reason", "IB_CM_REJ_*; 0: by the consumer"),
            bytes("reserved", 2),
            bytes("private_data", 256));

    private RdmaUcmReject() {}
}
