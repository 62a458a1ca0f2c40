// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.cm;

import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.u16;
import static io.verbs4j.abi.uapi.CStruct.u32;

import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.RdmaUcmCmd;
import io.verbs4j.abi.uapi.SocketAddresses;
import io.verbs4j.abi.uapi.UapiHeader;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.util.Map;

/// Binds an identifier to a local address and, for a specific address, to its RDMA device.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/rdma_bind_addr.3.html">rdma_bind_addr(3)</a>
public final class BindAddress {
    private static final CStruct REQUEST = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_bind",
            u32("id"),
            u16("addr_size", "16 for IPv4, 28 for IPv6, 48 for InfiniBand"),
            u16("reserved"),
            bytes("addr", 128, "a sockaddr"));

    /// The number and the structs of the command.
    public static final RdmaUcmCmd COMMAND = RdmaUcmCmd.of(20, "BIND", REQUEST);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("bind CM identifier")
            .connectionManager(COMMAND, "3.12")
            .causes(Map.of(Errno.EADDRNOTAVAIL,
                    "no network interface of this network namespace has the address (an IPv4 address mapped"
                            + " into IPv6 is never valid), no port is free, or another identifier uses the port and one"
                            + " of the two addresses is the wildcard address",
                    Errno.EADDRINUSE,
                    "another identifier uses this address and port; set the option to reuse addresses"
                            + " on both identifiers, or use another port",
                    Errno.EACCES, "a port below net.ipv4.ip_unprivileged_port_start needs CAP_NET_BIND_SERVICE",
                    Errno.EINVAL,
                    "the identifier is already bound, or a link-local IPv6 address lacks the interface's number",
                    Errno.ENODEV,
                    "the network interface with this address has no RDMA device (the loopback"
                            + " interface never has one); rdma link lists the interfaces with a device"));

    private BindAddress() {}

    /// Binds an identifier.
    ///
    /// @param address the local address; port 0 selects any port
    public static void execute(DeviceFile file, int id, InetSocketAddress address) {
        try (Arena arena = Arena.ofConfined()) {
            CmCommand command = CmCommand.of(arena, SPECIFICATION).set("id", id);
            command.set("addr_size", SocketAddresses.write(command.request().slice("addr"), address));
            command.send(file);
        }
    }
}
