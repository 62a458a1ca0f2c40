// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static io.verbs4j.abi.uapi.CStruct.array;
import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.hole;
import static io.verbs4j.abi.uapi.CStruct.struct;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u8;
import static io.verbs4j.abi.uapi.CStruct.union;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.CStruct.Member;
import java.lang.foreign.StructLayout;

/// `struct rxe_av` (include/uapi/rdma/rdma_user_rxe.h): an address vector inside a datagram's WQE.
///
/// This class declares the struct only because the struct determines the size of [RxeSendWr]. Linux 5.14 added
/// numbers for address handles. Before, this struct described a datagram's destination. The kernel still reads the
/// struct if `ah_num` is 0 (`rxe_get_av`, rxe_av.c). [SendRing] prevents that.
final class RxeAv {
    static final CStruct STRUCT = CStruct.of(
            RxeStructs.HEADER,
            "rxe_av",
            u8("port_num", "our port, from 1"),
            u8("network_type", "1 IPv4, 2 IPv6"),
            bytes("dmac", 6, "destination's Ethernet address"),
            struct(
                    "grh",
                    bytes("dgid", 16, "destination GID in network order"),
                    u32("flow_label"),
                    u8("sgid_index", "our entry of the GID table"),
                    u8("hop_limit"),
                    u8("traffic_class"),
                    hole(1)),
            socketAddress("sgid_addr"),
            socketAddress("dgid_addr"));

    static final StructLayout LAYOUT = STRUCT.layout();

    private RxeAv() {}

    private static Member socketAddress(String name) {
        return union(name, array("_sockaddr_in", 4, JAVA_INT), array("_sockaddr_in6", 7, JAVA_INT));
    }
}
