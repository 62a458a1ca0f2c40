// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u8;

/// `struct ib_uverbs_global_route` (include/uapi/rdma/ib_user_verbs.h): the data of a global route header, part of
/// [IbUverbsAhAttr]. Written by user space.
public final class IbUverbsGlobalRoute {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_global_route",
            bytes("dgid", 16, "the peer's GID in network order"),
            u32("flow_label", "20 bits"),
            u8("sgid_index", "local entry of the GID table"),
            u8("hop_limit"),
            u8("traffic_class"),
            u8("reserved"));

    private IbUverbsGlobalRoute() {}
}
