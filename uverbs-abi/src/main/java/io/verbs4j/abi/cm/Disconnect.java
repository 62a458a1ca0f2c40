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

/// Ends a connection, or responds to a peer that ends it. The end that starts disconnecting gets its event only after
/// the response.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/rdma_disconnect.3.html">rdma_disconnect(3)</a>
public final class Disconnect {
    private static final CStruct REQUEST = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_disconnect",
            u32("id"));

    /// The number and the structs of the command.
    public static final RdmaUcmCmd COMMAND = RdmaUcmCmd.of(10, "DISCONNECT", REQUEST);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("disconnect")
            .connectionManager(COMMAND, "2.6.20")
            .causes(Map.of(Errno.EINVAL, "the identifier is not connected"));

    private Disconnect() {}

    /// Sends the request or the response.
    public static void execute(DeviceFile file, int id) {
        try (Arena arena = Arena.ofConfined()) {
            CmCommand.of(arena, SPECIFICATION).set("id", id).send(file);
        }
    }
}
