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

/// Reports an asynchronous event of a queue pair to the connection manager. The event COMM_EST of a queue pair means
/// that data arrived before the peer's confirmation. If the program reports this event, the kernel regards the
/// connection as established, and raises the event ESTABLISHED.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/rdma_notify.3.html">rdma_notify(3)</a>
public final class Notify {
    private static final CStruct REQUEST = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_notify",
            u32("id"),
            u32("event", "IBV_EVENT_*"));

    /// The number and the structs of the command.
    public static final RdmaUcmCmd COMMAND = RdmaUcmCmd.of(15, "NOTIFY", REQUEST);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("notify CM")
            .connectionManager(COMMAND, "2.6.20")
            .causes(Map.of(Errno.EINVAL, "the connection is not waiting for its confirmation",
                    Errno.EISCONN, "the connection is already established"));

    private Notify() {}

    /// Reports the event.
    ///
    /// @param event the number of the asynchronous event, such as 4 (COMM_EST)
    public static void execute(DeviceFile file, int id, int event) {
        try (Arena arena = Arena.ofConfined()) {
            CmCommand.of(arena, SPECIFICATION).set("id", id).set("event", event).send(file);
        }
    }
}
