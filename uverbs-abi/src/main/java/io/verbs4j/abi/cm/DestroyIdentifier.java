// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.cm;

import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.RdmaUcmCmd;
import io.verbs4j.abi.uapi.UapiHeader;
import java.lang.foreign.Arena;

/// Destroys an identifier: rejects a request that was not accepted, ends a connection, and drops pending events. It
/// waits for other commands on the identifier that are in progress.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/rdma_destroy_id.3.html">rdma_destroy_id(3)</a>
public final class DestroyIdentifier {
    /// `struct rdma_ucm_destroy_id`.
    public static final CStruct REQUEST = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_destroy_id",
            u64("response", "address of the response"),
            u32("id"),
            u32("reserved"));
    static final CStruct RESPONSE = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_destroy_id_resp",
            u32("events_reported", "total events that user space has read"));

    /// The number and the structs of the command.
    public static final RdmaUcmCmd COMMAND =
            RdmaUcmCmd.of(1, "DESTROY_ID", REQUEST, RESPONSE);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("destroy CM identifier")
            .connectionManager(COMMAND, "2.6.20");

    private DestroyIdentifier() {}

    /// Destroys an identifier.
    ///
    /// @return the total number of its events that were read
    public static int execute(DeviceFile file, int id) {
        try (Arena arena = Arena.ofConfined()) {
            return CmCommand.of(arena, SPECIFICATION)
                    .set("id", id)
                    .send(file)
                    .answer()
                    .getInt("events_reported");
        }
    }
}
