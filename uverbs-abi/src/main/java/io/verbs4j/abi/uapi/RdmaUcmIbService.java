// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

/// `struct rdma_ucm_ib_service` (include/uapi/rdma/rdma_user_cm.h): a service of an InfiniBand fabric; Linux 7.0 and
/// later.
public final class RdmaUcmIbService {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_ib_service",
            u64("service_id"),
            bytes("service_name", 64),
            u32("flags", "1: by id, 2: by name"),
            u32("reserved"));

    private RdmaUcmIbService() {}
}
