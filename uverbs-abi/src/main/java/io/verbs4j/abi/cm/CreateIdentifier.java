// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.cm;

import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.u16;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;
import static io.verbs4j.abi.uapi.CStruct.u8;

import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.RdmaUcmCmd;
import io.verbs4j.abi.uapi.UapiHeader;
import io.verbs4j.types.Errno;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.QueuePairType;
import java.lang.foreign.Arena;
import java.util.Map;

/// Creates an identifier of a connection or a listener, in the network namespace of the calling thread.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/rdma_create_id.3.html">rdma_create_id(3)</a>
public final class CreateIdentifier {
    /// `struct rdma_ucm_create_id`.
    public static final CStruct REQUEST = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_create_id",
            u64("uid", "the identifier's number in events; events with 0 are dropped"),
            u64("response", "address of the response"),
            u16("ps", "port space: RDMA_PS_*"),
            u8("qp_type", "IBV_QPT_*"),
            bytes("reserved", 5));
    static final CStruct RESPONSE = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_create_id_resp",
            u32("id", "the identifier, or the membership"));

    /// The number and the structs of the command.
    public static final RdmaUcmCmd COMMAND =
            RdmaUcmCmd.of(0, "CREATE_ID", REQUEST, RESPONSE);
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
