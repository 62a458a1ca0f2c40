// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct rdma_ucm_resolve_ip` (include/uapi/rdma/rdma_user_cm.h): request of `RDMA_USER_CM_CMD_RESOLVE_IP`, the older
/// form of [RdmaUcmResolveAddr].
public final class RdmaUcmResolveIp {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_resolve_ip",
            bytes("src_addr", 28),
            bytes("dst_addr", 28),
            u32("id"),
            u32("timeout_ms"));

    private RdmaUcmResolveIp() {}
}
