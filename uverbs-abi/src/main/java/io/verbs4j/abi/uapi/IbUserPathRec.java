// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.be16;
import static io.verbs4j.abi.uapi.CStruct.be32;
import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u8;

/// `struct ib_user_path_rec` (include/uapi/rdma/ib_user_sa.h): a path between two ports. Written by user space and by
/// the kernel.
public final class IbUserPathRec {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_SA,
            "ib_user_path_rec",
            bytes("dgid", 16),
            bytes("sgid", 16),
            be16("dlid", "in network order"),
            be16("slid", "in network order"),
            u32("raw_traffic"),
            be32("flow_label", "in network order"),
            u32("reversible"),
            u32("mtu", "1 to 5"),
            be16("pkey", "in network order"),
            u8("hop_limit"),
            u8("traffic_class"),
            u8("numb_path"),
            u8("sl", "service level"),
            u8("mtu_selector"),
            u8("rate_selector"),
            u8("rate"),
            u8("packet_life_time_selector"),
            u8("packet_life_time", "4.096 µs × 2^n"),
            u8("preference"));

    private IbUserPathRec() {}
}
