// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.u16;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u8;

import io.verbs4j.types.AddressVector;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// `struct ib_uverbs_qp_dest` (include/uapi/rdma/ib_user_verbs.h): a path, part of [IbUverbsModifyQp] and
/// [IbUverbsQueryQpResp]; compare [IbUverbsAhAttr], which contains the same in another order.
public final class IbUverbsQpDest {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_qp_dest",
            bytes("dgid", 16, "the peer's GID in network order"),
            u32("flow_label", "20 bits"),
            u16("dlid", "0 on RoCE"),
            u16("reserved"),
            u8("sgid_index", "local entry of the GID table"),
            u8("hop_limit"),
            u8("traffic_class"),
            u8("sl", "service level"),
            u8("src_path_bits"),
            u8("static_rate"),
            u8("is_global", "1: required on RoCE"),
            u8("port_num", "local port, from 1"));

    private IbUverbsQpDest() {}

    /// Writes a path.
    public static void write(MemorySegment memory, AddressVector path) {
        IbUverbsAhAttr.write(STRUCT.zeroed(memory), "", path);
    }

    /// Reads a path.
    ///
    /// @return null if there is no path: a queue pair that was never given one has port 0
    public static @Nullable AddressVector read(MemorySegment memory) {
        return IbUverbsAhAttr.read(STRUCT.view(memory), "");
    }
}
