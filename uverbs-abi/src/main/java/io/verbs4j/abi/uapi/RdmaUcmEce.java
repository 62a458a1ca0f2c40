// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct rdma_ucm_ece` (include/uapi/rdma/rdma_user_cm.h): enhancements of a connection that two vendors agree on; 0
/// for none.
public final class RdmaUcmEce {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_ece",
            u32("vendor_id"),
            u32("attr_mod"));

    private RdmaUcmEce() {}
}
