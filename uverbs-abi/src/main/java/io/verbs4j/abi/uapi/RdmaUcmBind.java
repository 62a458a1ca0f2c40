// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.u16;
import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct rdma_ucm_bind` (include/uapi/rdma/rdma_user_cm.h): request of `RDMA_USER_CM_CMD_BIND`.
public final class RdmaUcmBind {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_bind",
            u32("id"),
            u16("addr_size", "16 for IPv4, 28 for IPv6, 48 for InfiniBand"),
            u16("reserved"),
            bytes("addr", 128, "a sockaddr"));

    private RdmaUcmBind() {}
}
