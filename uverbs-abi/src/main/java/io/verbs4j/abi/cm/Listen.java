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

/// Listens for requests of peers. The kernel binds an unbound identifier to the wildcard address and a free port.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/rdma_listen.3.html">rdma_listen(3)</a>
public final class Listen {
    private static final CStruct REQUEST = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_listen",
            u32("id"),
            u32("backlog", "maximum number of waiting requests; 0 or too large: net.rdma_ucm.max_backlog"));

    /// The number and the structs of the command.
    public static final RdmaUcmCmd COMMAND = RdmaUcmCmd.of(7, "LISTEN", REQUEST);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("listen")
            .connectionManager(COMMAND, "2.6.20")
            .causes(Map.of(Errno.EINVAL, "the identifier already listens or is connected",
                    Errno.EADDRINUSE,
                    "another identifier uses this address and port; of identifiers that share a port,"
                            + " only one may listen",
                    Errno.EADDRNOTAVAIL,
                    "another identifier uses the port: at the wildcard address, or at a specific"
                            + " address if you listen at the wildcard address; or no port is free"));

    private Listen() {}

    /// Starts to listen.
    ///
    /// @param backlog maximum number of requests whose events are not read yet. 0 or too large means the kernel's
    ///     maximum (`net.rdma_ucm.max_backlog`). More requests are dropped silently, and the peers repeat them
    public static void execute(DeviceFile file, int id, int backlog) {
        try (Arena arena = Arena.ofConfined()) {
            CmCommand.of(arena, SPECIFICATION).set("id", id).set("backlog", backlog).send(file);
        }
    }
}
