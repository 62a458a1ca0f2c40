// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.be16;
import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.u16;

/// `struct sockaddr_in` (include/uapi/linux/in.h): an IPv4 address and port. Written by user space and by the kernel.
public final class SockaddrIn {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IN,
            "sockaddr_in",
            u16("sin_family", "AF_INET"),
            be16("sin_port", "in network order"),
            bytes("sin_addr", 4, "in network order"),
            bytes("__pad", 8));

    private SockaddrIn() {}
}
