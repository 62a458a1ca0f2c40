// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

/// `struct rdma_ucm_join_ip_mcast` (include/uapi/rdma/rdma_user_cm.h): request of `RDMA_USER_CM_CMD_JOIN_IP_MCAST`, the
/// older form of [RdmaUcmJoinMcast].
public final class RdmaUcmJoinIpMcast {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_join_ip_mcast",
            u64("response", "address of the response"),
            u64("uid"),
            bytes("addr", 28),
            u32("id"));

    private RdmaUcmJoinIpMcast() {}
}
