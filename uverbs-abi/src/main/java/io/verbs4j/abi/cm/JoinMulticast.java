// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.cm;

import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.u16;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.RdmaUcmCmd;
import io.verbs4j.abi.uapi.SocketAddresses;
import io.verbs4j.abi.uapi.UapiHeader;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.util.Map;

/// Joins a multicast group. An event reports the result.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/rdma_join_multicast_ex.3.html">rdma_join_multicast_ex(3)</a>
public final class JoinMulticast {
    private static final CStruct REQUEST = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_join_mcast",
            u64("response", "address of the response"),
            u64("uid", "the membership's number in events"),
            u32("id"),
            u16("addr_size"),
            u16("join_flags", "0 full member, 1 send-only member"),
            bytes("addr", 128, "a sockaddr"));

    /// The number and the structs of the command.
    public static final RdmaUcmCmd COMMAND =
            RdmaUcmCmd.of(22, "JOIN_MCAST", REQUEST, CreateIdentifier.RESPONSE);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("join multicast group")
            .connectionManager(COMMAND, "3.12")
            .causes(Map.of(Errno.EINVAL,
                    "the identifier is neither bound to a specific address nor resolved, is not a datagram"
                            + " identifier, or the address is not a multicast group",
                    Errno.ENOTSUPP,
                    "the connection manager joins no IPv6 groups over RoCE v2; attach the queue pair to the group's"
                            + " GID and let a socket join the IP group",
                    Errno.ENODEV, "the network interface of the identifier was removed"));

    private JoinMulticast() {}

    /// Starts to join.
    ///
    /// @param uid number of the membership in events
    /// @param sendOnly whether the member only sends
    /// @return the number of the membership
    public static int execute(DeviceFile file, int id, long uid, InetSocketAddress group, boolean sendOnly) {
        try (Arena arena = Arena.ofConfined()) {
            CmCommand command = CmCommand.of(arena, SPECIFICATION)
                    .set("id", id)
                    .set("uid", uid)
                    .set("join_flags", sendOnly ? 1 : 0);
            command.set("addr_size", SocketAddresses.write(command.request().slice("addr"), group));
            return command.send(file).answer().getInt("id");
        }
    }
}
