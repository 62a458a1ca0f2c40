// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.array;
import static io.verbs4j.abi.uapi.CStruct.u32;

import java.lang.foreign.ValueLayout;

/// `struct ib_path_rec_data` (include/uapi/rdma/ib_user_sa.h): a path record in the form of the subnet administration,
/// 64 bytes in network order. Written by user space and by the kernel.
public final class IbPathRecData {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_SA,
            "ib_path_rec_data",
            u32("flags", "IB_PATH_*"),
            u32("reserved"),
            array("path_rec", 16, ValueLayout.JAVA_INT).means("the record"));

    private IbPathRecData() {}
}
