// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.u64;
import static io.verbs4j.abi.uapi.CStruct.u8;

/// `struct ib_uverbs_query_port` (include/uapi/rdma/ib_user_verbs.h): request of `IB_USER_VERBS_CMD_QUERY_PORT`.
/// Written by user space.
public final class IbUverbsQueryPort {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_query_port",
            u64("response", "address of the response buffer of a write(); 0 inside an ioctl"),
            u8("port_num", "from 1"),
            bytes("reserved", 7));

    private IbUverbsQueryPort() {}
}
