// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.struct;
import static io.verbs4j.abi.uapi.CStruct.u16;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u8;

import io.verbs4j.types.AddressVector;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// `struct ib_uverbs_ah_attr` (include/uapi/rdma/ib_user_verbs.h): a path, part of `struct ib_uverbs_create_ah`;
/// compare [IbUverbsQpDest], which contains the same in another order. Written by user space and by the kernel.
public final class IbUverbsAhAttr {
    /// `struct ib_uverbs_global_route`.
    public static final CStruct GLOBAL_ROUTE = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_global_route",
            bytes("dgid", 16, "the peer's GID in network order"),
            u32("flow_label", "20 bits"),
            u8("sgid_index", "local entry of the GID table"),
            u8("hop_limit"),
            u8("traffic_class"),
            u8("reserved"));

    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_ah_attr",
            struct("grh", GLOBAL_ROUTE),
            u16("dlid", "0 on RoCE"),
            u8("sl", "service level"),
            u8("src_path_bits"),
            u8("static_rate"),
            u8("is_global", "1: grh is valid; required on RoCE"),
            u8("port_num", "local port, from 1"),
            u8("reserved"));

    private IbUverbsAhAttr() {}

    /// Writes a path.
    public static void write(MemorySegment memory, AddressVector path) {
        write(STRUCT.zeroed(memory), "grh.", path);
    }

    /// Writes a path into a zeroed struct with the same fields.
    ///
    /// @param route prefix of the fields of the global route
    static void write(CView view, String route, AddressVector path) {
        view.set(route + "flow_label", path.flowLabel())
                .set(route + "sgid_index", path.sourceGidIndex())
                .set(route + "hop_limit", path.hopLimit())
                .set(route + "traffic_class", path.trafficClass())
                .set("dlid", path.destinationLid())
                .set("sl", path.serviceLevel())
                .set("is_global", path.destinationGid().isZero() ? 0 : 1)
                .set("port_num", path.port());
        GidBytes.write(view.slice(route + "dgid"), path.destinationGid());
    }

    /// Reads a path. Never fails, whatever the contents.
    ///
    /// @return null if there is no path: it then has port 0
    public static @Nullable AddressVector read(MemorySegment memory) {
        return read(STRUCT.view(memory), "grh.");
    }

    /// Reads a path from a struct with the same fields.
    ///
    /// @param route prefix of the fields of the global route
    static @Nullable AddressVector read(CView view, String route) {
        if (view.getInt("port_num") == 0) {
            return null;
        }
        return new AddressVector(
                GidBytes.read(view.slice(route + "dgid")),
                view.getInt(route + "sgid_index"),
                view.getInt(route + "flow_label") & 0xfffff,
                view.getInt(route + "hop_limit"),
                view.getInt(route + "traffic_class"),
                view.getInt("sl") & 0xf,
                view.getInt("port_num"),
                view.getInt("dlid"));
    }
}
