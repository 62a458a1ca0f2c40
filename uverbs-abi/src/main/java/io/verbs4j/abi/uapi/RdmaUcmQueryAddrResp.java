// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.be16;
import static io.verbs4j.abi.uapi.CStruct.be64;
import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.u16;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u8;

/// `struct rdma_ucm_query_addr_resp` (include/uapi/rdma/rdma_user_cm.h): response to `RDMA_USER_CM_CMD_QUERY` for
/// addresses and for GIDs.
public final class RdmaUcmQueryAddrResp {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_query_addr_resp",
            be64("node_guid", "of the device; 0 for none"),
            u8("port_num", "of the device"),
            u8("reserved"),
            be16("pkey", "in network order"),
            u16("src_size", "valid bytes of src_addr"),
            u16("dst_size"),
            bytes("src_addr", 128, "a sockaddr"),
            bytes("dst_addr", 128, "a sockaddr"),
            u32("ibdev_index", "of the device"),
            u32("reserved1"));

    private RdmaUcmQueryAddrResp() {}
}
