// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.cm;

import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u8;

import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.RdmaUcmCmd;
import io.verbs4j.abi.uapi.UapiHeader;
import io.verbs4j.types.Errno;
import io.verbs4j.types.PrivateData;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;

/// Rejects a peer's request.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/rdma_reject.3.html">rdma_reject(3)</a>
public final class Reject {
    private static final CStruct REQUEST = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_reject",
            u32("id"),
            u8("private_data_len"),
            u8("reason", "IB_CM_REJ_*; 0: by the consumer"),
            bytes("reserved", 2),
            bytes("private_data", 256));

    /// The number and the structs of the command.
    public static final RdmaUcmCmd COMMAND = RdmaUcmCmd.of(9, "REJECT", REQUEST);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("reject")
            .connectionManager(COMMAND, "2.6.20")
            .causes(Map.of(Errno.EINVAL,
                    "there is no request to reject, or the private data are longer than 148 bytes, for datagrams 136"));

    private Reject() {}

    /// Rejects a request.
    ///
    /// @param reason 0 for a rejection by the program; the peer then gets the reason 28
    public static void execute(DeviceFile file, int id, int reason, PrivateData data) {
        try (Arena arena = Arena.ofConfined()) {
            CmCommand command = CmCommand.of(arena, SPECIFICATION)
                    .set("id", id)
                    .set("reason", reason)
                    .set("private_data_len", data.size());
            MemorySegment.copy(data.bytes(), 0, command.request().slice("private_data"), ValueLayout.JAVA_BYTE, 0,
                    data.size());
            command.send(file);
        }
    }
}
