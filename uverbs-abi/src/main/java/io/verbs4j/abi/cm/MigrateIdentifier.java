// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.cm;

import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.RdmaUcmCmd;
import io.verbs4j.abi.uapi.UapiHeader;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.util.Map;

/// Moves an identifier to another channel, together with its pending events.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/rdma_migrate_id.3.html">rdma_migrate_id(3)</a>
public final class MigrateIdentifier {
    private static final CStruct REQUEST = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_migrate_id",
            u64("response", "address of the response"),
            u32("id"),
            u32("fd", "the old channel"));
    private static final CStruct RESPONSE = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_migrate_resp",
            u32("events_reported", "events that user space has read before"));

    /// The number and the structs of the command.
    public static final RdmaUcmCmd COMMAND =
            RdmaUcmCmd.of(18, "MIGRATE_ID", REQUEST, RESPONSE);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("migrate CM identifier")
            .connectionManager(COMMAND, "2.6.24")
            .causes(Map.of(Errno.EINVAL, "the identifier does not belong to the given channel"));

    private MigrateIdentifier() {}

    /// Moves an identifier.
    ///
    /// @param file the new channel
    /// @param from file descriptor of the old one
    /// @return the number of its events that were read before
    public static int execute(DeviceFile file, int id, int from) {
        try (Arena arena = Arena.ofConfined()) {
            return CmCommand.of(arena, SPECIFICATION)
                    .set("id", id)
                    .set("fd", from)
                    .send(file)
                    .answer()
                    .getInt("events_reported");
        }
    }
}
