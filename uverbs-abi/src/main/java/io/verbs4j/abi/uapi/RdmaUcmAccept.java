// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.struct;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

/// `struct rdma_ucm_accept` (include/uapi/rdma/rdma_user_cm.h): request of `RDMA_USER_CM_CMD_ACCEPT`.
public final class RdmaUcmAccept {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_accept",
            u64("uid", "the identifier's number in events from now on"),
            struct("conn_param", RdmaUcmConnParam.STRUCT),
            u32("id"),
            u32("reserved"),
            struct("ece", RdmaUcmEce.STRUCT));

    private RdmaUcmAccept() {}
}
