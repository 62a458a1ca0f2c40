// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

import java.util.Arrays;
import java.util.Optional;

/// A port space of the connection manager (`enum rdma_ucm_port_space`, include/uapi/rdma/rdma_user_cm.h). On RoCE,
/// these ports are independent of the ports of TCP and UDP sockets: a TCP socket and an RDMA listener can have the same
/// port number.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/rdma_create_id.3.html">rdma_create_id(3)</a>
public enum PortSpace {
    /// Datagrams in the network of IP over InfiniBand.
    IPOIB(0x0002, QueuePairType.UD),
    /// Reliable connections.
    TCP(0x0106, QueuePairType.RC),
    /// Datagrams.
    UDP(0x0111, QueuePairType.UD),
    /// InfiniBand service identifiers instead of ports, with InfiniBand addresses.
    IB(0x013f, QueuePairType.RC);

    private final int value;
    private final QueuePairType queuePairType;

    PortSpace(int value, QueuePairType queuePairType) {
        this.value = value;
        this.queuePairType = queuePairType;
    }

    /// Returns the kernel's number.
    public int value() {
        return value;
    }

    /// Returns the type of the queue pairs that belong to the port space; for [#IB], the usual type.
    public QueuePairType queuePairType() {
        return queuePairType;
    }

    /// Returns the port space for a kernel number; empty if unknown.
    public static Optional<PortSpace> of(int value) {
        return Arrays.stream(values()).filter(space -> space.value == value).findFirst();
    }
}
