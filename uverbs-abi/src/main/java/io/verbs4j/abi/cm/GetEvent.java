// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.cm;

import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.uapi.RdmaUcmCmd;
import io.verbs4j.abi.uapi.RdmaUcmEventResp;
import io.verbs4j.abi.uapi.RdmaUcmGetEvent;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads an event. On a file that was opened non-blocking, it never waits.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/rdma_get_cm_event.3.html">rdma_get_cm_event(3)</a>
public final class GetEvent {
    /// The number and the structs of the command.
    public static final RdmaUcmCmd COMMAND =
            RdmaUcmCmd.of(12, "GET_EVENT", RdmaUcmGetEvent.STRUCT, RdmaUcmEventResp.STRUCT);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("get CM event")
            .connectionManager(COMMAND, "2.6.20")
            .causes(Map.of(Errno.EAGAIN, "no event is waiting",
                    Errno.EINTR, "a signal ended the wait",
                    Errno.ENOMEM, "the kernel is out of memory"));

    private GetEvent() {}

    /// Reads an event.
    ///
    /// @return null if none is waiting
    /// @throws io.verbs4j.types.VerbsException if the kernel refuses
    public static @Nullable CmEventRecord execute(DeviceFile file) {
        try (Arena arena = Arena.ofConfined()) {
            CmCommand command = CmCommand.of(arena, SPECIFICATION);
            int result = command.execute(file);
            if (result == -Errno.EAGAIN) {
                return null;
            }
            SPECIFICATION.check(result);
            return CmEventRecord.read(command.answer());
        }
    }
}
