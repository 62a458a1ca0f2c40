// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.datagram;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.types.Errno;
import io.verbs4j.types.Gid;

/// Makes a queue pair leave a multicast group, by write command 31, which has no response; it has no native method.
///
/// @see "ibv_detach_mcast(3)"
public final class DetachMulticast {
    private static final CStruct REQUEST = AttachMulticast.request("ib_uverbs_detach_mcast");

    /// The write command.
    public static final IbUserVerbsCmd WRITE = IbUserVerbsCmd.of(31, "DETACH_MCAST", REQUEST);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("detach multicast")
            .write(WRITE, "2.6.14")
            .changes(UverbsObject.QP)
            .cause(Errno.EINVAL, "the queue pair is not a member with this GID and LID");

    private DetachMulticast() {}

    /// Leaves a group.
    ///
    /// @param handle the queue pair's handle
    /// @param group GID of the group
    /// @param lid LID of the group; 0 on RoCE
    public static void execute(CommandChannel channel, int handle, Gid group, int lid) {
        int result = AttachMulticast.run(SPECIFICATION, channel, handle, group, lid);
        KernelErrors.checkDestroyed(SPECIFICATION, result);
    }
}
