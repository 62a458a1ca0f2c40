// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.cm;

import static io.verbs4j.abi.uapi.CStruct.struct;
import static io.verbs4j.abi.uapi.CStruct.u32;

import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.RdmaUcmCmd;
import io.verbs4j.abi.uapi.RdmaUcmConnParam;
import io.verbs4j.abi.uapi.UapiHeader;
import io.verbs4j.types.ConnectionParameters;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.util.Map;

/// Requests a connection, or the destination of datagrams, from a peer. An event reports the response.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/rdma_connect.3.html">rdma_connect(3)</a>
public final class Connect {
    private static final CStruct REQUEST = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_connect",
            struct("conn_param", RdmaUcmConnParam.STRUCT),
            u32("id"),
            u32("reserved"),
            struct("ece", RdmaUcmConnParam.ECE));

    /// The number and the structs of the command.
    public static final RdmaUcmCmd COMMAND = RdmaUcmCmd.of(6, "CONNECT", REQUEST);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("connect")
            .connectionManager(COMMAND, "2.6.20")
            .causes(Map.of(Errno.EINVAL,
                    "the route is not resolved, a connection was requested before, or the private data are longer"
                            + " than 56 bytes, for datagrams 180",
                    Errno.EADDRINUSE,
                    "the queue pair is connected, or another socket uses the local port (iWARP)",
                    Errno.EADDRNOTAVAIL, "the source address is no longer on its network interface"));

    private Connect() {}

    /// Sends the request.
    public static void execute(DeviceFile file, int id, ConnectionParameters parameters) {
        try (Arena arena = Arena.ofConfined()) {
            CmCommand command = CmCommand.of(arena, SPECIFICATION).set("id", id);
            RdmaUcmConnParam.write(command.request().slice("conn_param"), parameters);
            command.send(file);
        }
    }
}
