// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.cm;

import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.uapi.RdmaUcmCmd;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.util.Map;

/// Leaves a multicast group.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/rdma_leave_multicast.3.html">rdma_leave_multicast(3)</a>
public final class LeaveMulticast {
    /// The number and the structs of the command.
    public static final RdmaUcmCmd COMMAND =
            RdmaUcmCmd.of(17, "LEAVE_MCAST", DestroyIdentifier.REQUEST, DestroyIdentifier.RESPONSE);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("leave multicast group")
            .connectionManager(COMMAND, "2.6.21")
            .causes(Map.of(Errno.ENOENT, "there is no such membership: its identifier was destroyed"));

    private LeaveMulticast() {}

    /// Leaves the group.
    ///
    /// @param membership result of the join
    /// @return the total number of its events that were read
    public static int execute(DeviceFile file, int membership) {
        try (Arena arena = Arena.ofConfined()) {
            return CmCommand.of(arena, SPECIFICATION)
                    .set("id", membership)
                    .send(file)
                    .answer()
                    .getInt("events_reported");
        }
    }
}
