// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

/// `struct rdma_ucm_init_qp_attr` (include/uapi/rdma/rdma_user_cm.h): request of `RDMA_USER_CM_CMD_INIT_QP_ATTR`, whose
/// response is [IbUverbsQpAttr].
public final class RdmaUcmInitQpAttr {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_init_qp_attr",
            u64("response", "address of the response"),
            u32("id"),
            u32("qp_state", "the state for which the attributes are"));

    private RdmaUcmInitQpAttr() {}
}
