// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;

import io.verbs4j.types.GidEntry;
import io.verbs4j.types.GidType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// `struct ib_uverbs_gid_entry` (include/uapi/rdma/ib_user_ioctl_verbs.h): one entry of the responses of
/// `UVERBS_METHOD_QUERY_GID_TABLE` and `UVERBS_METHOD_QUERY_GID_ENTRY`. Written by the kernel.
public final class IbUverbsGidEntry {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_IOCTL_VERBS,
            "ib_uverbs_gid_entry",
            CStruct.array("gid", 2, ValueLayout.JAVA_LONG)
                    .means("16 bytes in network order, despite the declared type"),
            u32("gid_index"),
            u32("port_num", "from 1"),
            u32("gid_type", "0 InfiniBand, 1 RoCE v1, 2 RoCE v2"),
            u32("netdev_ifindex", "0 if there is none"));

    private IbUverbsGidEntry() {}

    /// Reads the entry.
    public static GidEntry read(MemorySegment memory) {
        CView view = STRUCT.view(memory);
        return new GidEntry(
                GidBytes.read(view.slice("gid")),
                view.getInt("gid_index"),
                view.getInt("port_num"),
                new GidType(view.getInt("gid_type")),
                view.getInt("netdev_ifindex"));
    }
}
