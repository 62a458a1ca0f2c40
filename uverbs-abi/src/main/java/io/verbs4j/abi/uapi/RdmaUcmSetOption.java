// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

/// `struct rdma_ucm_set_option` (include/uapi/rdma/rdma_user_cm.h): request of `RDMA_USER_CM_CMD_SET_OPTION`.
public final class RdmaUcmSetOption {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_set_option",
            u64("optval", "address of the value"),
            u32("id"),
            u32("level", "RDMA_OPTION_ID or RDMA_OPTION_IB"),
            u32("optname"),
            u32("optlen", "bytes of the value"));

    private RdmaUcmSetOption() {}
}
