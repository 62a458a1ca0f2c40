// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.u16;
import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct rdma_ucm_resolve_addr` (include/uapi/rdma/rdma_user_cm.h): request of `RDMA_USER_CM_CMD_RESOLVE_ADDR`.
public final class RdmaUcmResolveAddr {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_resolve_addr",
            u32("id"),
            u32("timeout_ms"),
            u16("src_size", "0: any source"),
            u16("dst_size"),
            u32("reserved"),
            bytes("src_addr", 128, "a sockaddr"),
            bytes("dst_addr", 128, "a sockaddr"));

    private RdmaUcmResolveAddr() {}
}
