// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u16;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u8;

import io.verbs4j.types.LinkLayer;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.PhysicalState;
import io.verbs4j.types.PortAttributes;
import io.verbs4j.types.PortState;
import java.lang.foreign.MemorySegment;

/// `struct ib_uverbs_query_port_resp` (include/uapi/rdma/ib_user_verbs.h): response to `struct
/// ib_uverbs_query_port`, and the first part of [IbUverbsQueryPortRespEx]. Written by the kernel.
public final class IbUverbsQueryPortResp {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_query_port_resp",
            u32("port_cap_flags", "IB_UVERBS_PCF_*"),
            u32("max_msg_sz", "bytes: 8 MiB on 6.1, 2 GiB on 6.12 with rxe"),
            u32("bad_pkey_cntr"),
            u32("qkey_viol_cntr"),
            u32("gid_tbl_len", "slots, used or not"),
            u16("pkey_tbl_len"),
            u16("lid", "0 on RoCE"),
            u16("sm_lid", "0 on RoCE"),
            u8("state", "IB_PORT_*: 1 down, 4 active"),
            u8("max_mtu", "1 to 5 for 256 to 4096 bytes"),
            u8("active_mtu", "likewise"),
            u8("lmc"),
            u8("max_vl_num"),
            u8("sm_sl"),
            u8("subnet_timeout"),
            u8("init_type_reply"),
            u8("active_width", "1, 2, 4, 8, 16 for 1x, 4x, 8x, 12x, 2x"),
            u8("active_speed", "IB_SPEED_*, those that fit"),
            u8("phys_state"),
            u8("link_layer", "1 InfiniBand, 2 Ethernet"),
            u8("flags", "bit 0: packets need a global route header, as on RoCE"),
            u8("reserved"));

    private IbUverbsQueryPortResp() {}

    /// Reads the attributes of a kernel without the ioctl method.
    public static PortAttributes read(MemorySegment memory, int port) {
        return read(memory, port, 0, 0);
    }

    static PortAttributes read(MemorySegment memory, int port, int capabilityFlags2, int speedExtended) {
        CView view = STRUCT.view(memory);
        return new PortAttributes(
                port,
                new PortState(view.getInt("state")),
                new PhysicalState(view.getInt("phys_state")),
                mtu(view.getInt("max_mtu")),
                mtu(view.getInt("active_mtu")),
                view.get("max_msg_sz"),
                view.getInt("gid_tbl_len"),
                view.getInt("pkey_tbl_len"),
                view.getInt("port_cap_flags"),
                capabilityFlags2,
                view.getInt("bad_pkey_cntr"),
                view.getInt("qkey_viol_cntr"),
                view.getInt("lid"),
                view.getInt("sm_lid"),
                view.getInt("lmc"),
                view.getInt("max_vl_num"),
                view.getInt("sm_sl"),
                view.getInt("subnet_timeout"),
                view.getInt("init_type_reply"),
                view.getInt("active_width"),
                speedExtended != 0 ? speedExtended : view.getInt("active_speed"),
                new LinkLayer(view.getInt("link_layer")),
                view.getInt("flags"));
    }

    /// Converts an MTU. A port that is down may report none, and Omni-Path reports larger ones than verbs can express.
    private static Mtu mtu(int code) {
        return Mtu.of(Math.clamp(code, Mtu.MTU_256.value(), Mtu.MTU_4096.value()));
    }
}
