// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.cm;

import static io.verbs4j.abi.uapi.CStruct.u32;

import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.RdmaUcmCmd;
import io.verbs4j.abi.uapi.UapiHeader;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.util.Map;

/// Resolves the route to a peer whose address is resolved. An event reports the result.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/rdma_resolve_route.3.html">rdma_resolve_route(3)</a>
public final class ResolveRoute {
    /// `struct rdma_ucm_resolve_route`.
    public static final CStruct REQUEST = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_resolve_route",
            u32("id"),
            u32("timeout_ms"));

    /// The number and the structs of the command.
    public static final RdmaUcmCmd COMMAND = RdmaUcmCmd.of(4, "RESOLVE_ROUTE", REQUEST);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("resolve route")
            .connectionManager(COMMAND, "2.6.20")
            .causes(Map.of(
                    // cma_resolve_iboe_route (cma.c) finds no path MTU (iboe_get_mtu, ib_addr.h)
                    Errno.EINVAL,
                    "the address is not resolved yet, or the MTU of the network interface is below 352, too small for"
                            + " RDMA packets",
                    Errno.ENODEV, "the address belongs to no RDMA device; 127.0.0.1 and ::1 never belong to one"));

    private ResolveRoute() {}

    /// Starts to resolve the route.
    public static void execute(DeviceFile file, int id, int timeoutMillis) {
        try (Arena arena = Arena.ofConfined()) {
            CmCommand.of(arena, SPECIFICATION).set("id", id).set("timeout_ms", timeoutMillis).send(file);
        }
    }
}
