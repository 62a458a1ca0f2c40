// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

/// `struct rdma_ucm_bind_ip` (include/uapi/rdma/rdma_user_cm.h): request of `RDMA_USER_CM_CMD_BIND_IP`, the older form
/// of [RdmaUcmBind].
public final class RdmaUcmBindIp {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_bind_ip",
            u64("response", "address of the response"),
            bytes("addr", 28, "a sockaddr_in or sockaddr_in6"),
            u32("id"));

    private RdmaUcmBindIp() {}
}
