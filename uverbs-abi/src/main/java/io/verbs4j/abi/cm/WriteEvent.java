// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.cm;

import static io.verbs4j.abi.uapi.CStruct.struct;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;
import static io.verbs4j.abi.uapi.CStruct.union;

import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.RdmaUcmCmd;
import io.verbs4j.abi.uapi.RdmaUcmConnParam;
import io.verbs4j.abi.uapi.RdmaUcmUdParam;
import io.verbs4j.abi.uapi.UapiHeader;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.util.Map;

/// Inserts an event of the program into the event queue. Linux 6.18 and later.
public final class WriteEvent {
    private static final CStruct REQUEST = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_write_cm_event",
            u32("id"),
            u32("reserved"),
            u32("event", "RDMA_CM_EVENT_USER"),
            u32("status"),
            union("param", struct("conn", RdmaUcmConnParam.STRUCT), struct("ud", RdmaUcmUdParam.STRUCT),
                    u64("arg", "copied to the event")));

    /// The number and the structs of the command.
    public static final RdmaUcmCmd COMMAND = RdmaUcmCmd.of(24, "WRITE_CM_EVENT", REQUEST);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("write CM event")
            .connectionManager(COMMAND, "6.18")
            .causes(Map.of(Errno.EINVAL, "this kernel does not support the command"));

    private WriteEvent() {}

    /// Writes an event.
    public static void execute(DeviceFile file, int id, int status, long argument) {
        try (Arena arena = Arena.ofConfined()) {
            CmCommand.of(arena, SPECIFICATION)
                    .set("id", id)
                    .set("event", CmEventCode.USER.number())
                    .set("status", status)
                    .set("param.arg", argument)
                    .send(file);
        }
    }
}
