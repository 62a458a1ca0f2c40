// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.cm;

import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.uapi.RdmaUcmCmd;
import io.verbs4j.abi.uapi.RdmaUcmCreateId;
import io.verbs4j.abi.uapi.RdmaUcmCreateIdResp;
import io.verbs4j.types.Errno;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.QueuePairType;
import java.lang.foreign.Arena;
import java.util.Map;

/// Creates an identifier of a connection or a listener, in the network namespace of the calling thread.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/rdma_create_id.3.html">rdma_create_id(3)</a>
public final class CreateIdentifier {
    /// The number and the structs of the command.
    public static final RdmaUcmCmd COMMAND =
            RdmaUcmCmd.of(0, "CREATE_ID", RdmaUcmCreateId.STRUCT, RdmaUcmCreateIdResp.STRUCT);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("create CM identifier")
            .connectionManager(COMMAND, "2.6.20")
            .causes(Map.of(Errno.EINVAL, "the port space and the type of queue pair do not fit",
                    Errno.ENOMEM, "the kernel is out of memory"));

    private CreateIdentifier() {}

    /// Creates an identifier.
    ///
    /// @param uid its number in events; events with number 0 are dropped
    /// @return its number
    public static int execute(DeviceFile file, long uid, PortSpace space, QueuePairType type) {
        try (Arena arena = Arena.ofConfined()) {
            return CmCommand.of(arena, SPECIFICATION)
                    .set("uid", uid)
                    .set("ps", space.value())
                    .set("qp_type", type.value())
                    .send(file)
                    .answer()
                    .getInt("id");
        }
    }
}
