// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct rdma_ucm_create_id_resp` (include/uapi/rdma/rdma_user_cm.h): response to `RDMA_USER_CM_CMD_CREATE_ID` and to
/// the joins of multicast groups.
public final class RdmaUcmCreateIdResp {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_create_id_resp",
            u32("id", "the identifier, or the membership"));

    private RdmaUcmCreateIdResp() {}
}
