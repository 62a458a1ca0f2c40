// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.array;
import static io.verbs4j.abi.uapi.CStruct.be64;
import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u8;

/// `struct rdma_ucm_query_route_resp` (include/uapi/rdma/rdma_user_cm.h): response to `RDMA_USER_CM_CMD_QUERY_ROUTE`.
public final class RdmaUcmQueryRouteResp {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_query_route_resp",
            be64("node_guid", "of the device; 0 for none"),
            array("ib_route", 2, IbUserPathRec.STRUCT.layout()),
            bytes("src_addr", 28),
            bytes("dst_addr", 28),
            u32("num_paths"),
            u8("port_num"),
            bytes("reserved", 3),
            u32("ibdev_index", "of the device"),
            u32("reserved1"));

    private RdmaUcmQueryRouteResp() {}
}
