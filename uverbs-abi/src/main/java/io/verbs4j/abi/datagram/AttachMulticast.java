// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.datagram;

import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.u16;
import static io.verbs4j.abi.uapi.CStruct.u32;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.WriteCommand;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.GidBytes;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.UapiHeader;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.types.Errno;
import io.verbs4j.types.Gid;
import java.lang.foreign.Arena;

/// Makes a UD queue pair join a multicast group, by write command 30, which has no response; it has no native method.
/// The LID identifies the membership, although RoCE does not use it: leave with the same LID, otherwise the queue pair
/// can never be destroyed.
///
/// @see "ibv_attach_mcast(3)"
public final class AttachMulticast {
    private static final CStruct REQUEST = request("ib_uverbs_attach_mcast");

    /// The write command.
    public static final IbUserVerbsCmd WRITE = IbUserVerbsCmd.of(30, "ATTACH_MCAST", REQUEST);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("attach multicast")
            .write(WRITE, "2.6.14")
            .changes(UverbsObject.QP)
            .cause(Errno.EINVAL, "the GID is not that of a multicast group, or the queue pair is not UD");

    private AttachMulticast() {}

    /// Joins a group.
    ///
    /// @param handle the queue pair's handle
    /// @param group GID of the group
    /// @param lid LID of the group; 0 on RoCE
    public static void execute(CommandChannel channel, int handle, Gid group, int lid) {
        SPECIFICATION.check(run(SPECIFICATION, channel, handle, group, lid));
    }

    /// Returns the request of an attach or a detach, which differ in the struct's name only.
    static CStruct request(String name) {
        return CStruct.of(
                UapiHeader.IB_USER_VERBS,
                name,
                bytes("gid", 16, "the group, network order"),
                u32("qp_handle"),
                u16("mlid", "identifies the membership: the same at attach and detach"),
                u16("reserved"));
    }

    /// Executes an attach or a detach.
    ///
    /// @return 0 or a negated errno
    static int run(CommandSpecification command, CommandChannel channel, int handle, Gid group, int lid) {
        try (Arena arena = Arena.ofConfined()) {
            WriteCommand write = WriteCommand.of(arena, command)
                    .set("qp_handle", handle)
                    .set("mlid", lid);
            GidBytes.write(write.request().slice("gid"), group);
            return write.execute(channel);
        }
    }
}
