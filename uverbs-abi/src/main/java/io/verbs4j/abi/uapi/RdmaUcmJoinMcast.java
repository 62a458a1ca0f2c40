// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.u16;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

/// `struct rdma_ucm_join_mcast` (include/uapi/rdma/rdma_user_cm.h): request of `RDMA_USER_CM_CMD_JOIN_MCAST`.
public final class RdmaUcmJoinMcast {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_join_mcast",
            u64("response", "address of the response"),
            u64("uid", "the membership's number in events"),
            u32("id"),
            u16("addr_size"),
            u16("join_flags", "0 full member, 1 send-only member"),
            bytes("addr", 128, "a sockaddr"));

    private RdmaUcmJoinMcast() {}
}
