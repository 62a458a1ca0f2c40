// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.be16;
import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.u16;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u8;

/// `struct sockaddr_ll` (include/uapi/linux/if_packet.h): the address of a packet socket. Written by user space.
public final class SockaddrLl {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IF_PACKET,
            "sockaddr_ll",
            u16("sll_family", "AF_PACKET"),
            be16("sll_protocol", "protocol of the frames: ETH_P_ALL for both directions"),
            u32("sll_ifindex", "the network interface"),
            u16("sll_hatype"),
            u8("sll_pkttype"),
            u8("sll_halen"),
            bytes("sll_addr", 8));

    private SockaddrLl() {}
}
