// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.struct;
import static io.verbs4j.abi.uapi.CStruct.u16;
import static io.verbs4j.abi.uapi.CStruct.u32;

import io.verbs4j.types.PortAttributes;
import java.lang.foreign.MemorySegment;

/// `struct ib_uverbs_query_port_resp_ex` (include/uapi/rdma/ib_user_ioctl_verbs.h): response of the ioctl method
/// `UVERBS_METHOD_QUERY_PORT`. Written by the kernel.
public final class IbUverbsQueryPortRespEx {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_IOCTL_VERBS,
            "ib_uverbs_query_port_resp_ex",
            struct("legacy_resp", IbUverbsQueryPortResp.STRUCT),
            u16("port_cap_flags2"),
            bytes("reserved", 2),
            u32("active_speed_ex", "all of IB_SPEED_*; 0 on kernels that have 6 reserved bytes here"));

    private IbUverbsQueryPortRespEx() {}

    /// Reads the attributes.
    public static PortAttributes read(MemorySegment memory, int port) {
        CView view = STRUCT.view(memory);
        return IbUverbsQueryPortResp.read(
                view.slice("legacy_resp"), port, view.getInt("port_cap_flags2"), view.getInt("active_speed_ex"));
    }
}
