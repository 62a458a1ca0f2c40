// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.be16;
import static io.verbs4j.abi.uapi.CStruct.be32;
import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.u16;
import static io.verbs4j.abi.uapi.CStruct.u32;

/// `struct sockaddr_in6` (include/uapi/linux/in6.h): an IPv6 address and port. Written by user space and by the kernel.
public final class SockaddrIn6 {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IN6,
            "sockaddr_in6",
            u16("sin6_family", "AF_INET6"),
            be16("sin6_port", "in network order"),
            be32("sin6_flowinfo", "in network order"),
            bytes("sin6_addr", 16, "in network order"),
            u32("sin6_scope_id", "index of the network interface, for link-local addresses"));

    private SockaddrIn6() {}
}
