// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.struct;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u8;

import io.verbs4j.types.AddressVector;
import io.verbs4j.types.DatagramPath;
import io.verbs4j.types.PrivateData;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/// `struct rdma_ucm_ud_param` (include/uapi/rdma/rdma_user_cm.h): the destination of datagrams to a peer. Written by
/// the kernel.
public final class RdmaUcmUdParam {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_ud_param",
            u32("qp_num", "24 bits"),
            u32("qkey"),
            struct("ah_attr", IbUverbsAhAttr.STRUCT, "path to the peer"),
            bytes("private_data", 256),
            u8("private_data_len"),
            bytes("reserved", 7));

    private RdmaUcmUdParam() {}

    private static final int QP_NUMBER_MASK = 0xffffff;

    /// Reads the private data.
    public static PrivateData privateData(MemorySegment memory) {
        CView view = STRUCT.view(memory);
        return PrivateData.of(view.slice("private_data")
                .asSlice(0, view.getInt("private_data_len"))
                .toArray(ValueLayout.JAVA_BYTE));
    }

    /// Reads the destination of datagrams.
    ///
    /// @return null if there is no path
    public static @Nullable DatagramPath read(MemorySegment memory) {
        CView view = STRUCT.view(memory);
        AddressVector path = IbUverbsAhAttr.read(view.slice("ah_attr"));
        return path == null
                ? null
                : new DatagramPath(
                        view.getInt("qp_num") & QP_NUMBER_MASK,
                        view.getInt("qkey"),
                        path,
                        privateData(memory));
    }
}
