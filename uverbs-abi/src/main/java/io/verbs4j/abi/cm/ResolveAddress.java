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
import org.jspecify.annotations.Nullable;

/// Resolves a peer's address: finds the local RDMA device and the peer's link address. An event reports the result.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/rdma_resolve_addr.3.html">rdma_resolve_addr(3)</a>
public final class ResolveAddress {
    /// `struct rdma_ucm_resolve_addr`.
    public static final CStruct REQUEST = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_resolve_addr",
            u32("id"),
            u32("timeout_ms"),
            u16("src_size", "0: any source"),
            u16("dst_size"),
            u32("reserved"),
            bytes("src_addr", 128, "a sockaddr"),
            bytes("dst_addr", 128, "a sockaddr"));

    /// Explains ENODEV, both as an error of the command and as the status of an event.
    public static final String NO_DEVICE =
            "no RDMA device is on the route to the address; ip route get shows the interface of the route, and"
                    + " rdma link shows the interfaces with a device";

    /// The number and the structs of the command.
    public static final RdmaUcmCmd COMMAND = RdmaUcmCmd.of(21, "RESOLVE_ADDR", REQUEST);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("resolve address")
            .connectionManager(COMMAND, "3.12")
            .causes(Map.of(Errno.ENETUNREACH,
                    "there is no route to the address; IPv4 addresses mapped into IPv6 have none",
                    Errno.EHOSTUNREACH, "there is no route to the address",
                    Errno.EADDRNOTAVAIL,
                    "no network interface of this network namespace has the source address (ip"
                            + " address shows the addresses), another identifier uses the source port at the"
                            + " wildcard address, or no port is free",
                    Errno.EINVAL,
                    "the address was resolved before, or source and destination are of different families",
                    Errno.ENODEV,
                    NO_DEVICE,
                    Errno.EADDRINUSE,
                    "another identifier uses the source port; use port 0 for any free port, or omit"
                            + " the source address"));

    private ResolveAddress() {}

    /// Starts to resolve an address.
    ///
    /// @param source null for the address that the route determines
    /// @param timeoutMillis the kernel's timeout for the neighbour's response
    public static void execute(DeviceFile file, int id, @Nullable InetSocketAddress source,
            InetSocketAddress destination, int timeoutMillis) {
        try (Arena arena = Arena.ofConfined()) {
            CmCommand command = CmCommand.of(arena, SPECIFICATION).set("id", id).set("timeout_ms", timeoutMillis);
            if (source != null) {
                command.set("src_size", SocketAddresses.write(command.request().slice("src_addr"), source));
            }
            command.set("dst_size", SocketAddresses.write(command.request().slice("dst_addr"), destination));
            command.send(file);
        }
    }
}
