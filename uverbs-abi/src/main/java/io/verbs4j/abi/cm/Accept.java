// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.cm;

import static io.verbs4j.abi.uapi.CStruct.struct;
import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.RdmaUcmCmd;
import io.verbs4j.abi.uapi.RdmaUcmConnParam;
import io.verbs4j.abi.uapi.UapiHeader;
import io.verbs4j.types.ConnectionParameters;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.util.Map;

/// Accepts a peer's request, or confirms the peer's acceptance.
///
/// **If the kernel refuses the command, it also rejects the request.** Therefore validate as much as possible before.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/rdma_accept.3.html">rdma_accept(3)</a>
public final class Accept {
    private static final CStruct REQUEST = CStruct.of(
            UapiHeader.RDMA_USER_CM,
            "rdma_ucm_accept",
            u64("uid", "the identifier's number in events from now on"),
            struct("conn_param", RdmaUcmConnParam.STRUCT),
            u32("id"),
            u32("reserved"),
            struct("ece", RdmaUcmConnParam.ECE));

    /// The number and the structs of the command.
    public static final RdmaUcmCmd COMMAND = RdmaUcmCmd.of(8, "ACCEPT", REQUEST);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("accept")
            .connectionManager(COMMAND, "2.6.20")
            .causes(Map.of(Errno.EINVAL,
                    "there is no request to accept, the peer has ended its attempt, or the private data are longer"
                            + " than 196 bytes, for datagrams 136; if the data are too long, the kernel rejects the"
                            + " request",
                    Errno.ECONNRESET, "the peer has ended its attempt"));

    private Accept() {}

    /// Accepts a request.
    ///
    /// @param uid the identifier's number in events from now on; events with number 0 are dropped
    public static void execute(DeviceFile file, int id, long uid, ConnectionParameters parameters) {
        try (Arena arena = Arena.ofConfined()) {
            CmCommand command = CmCommand.of(arena, SPECIFICATION).set("id", id).set("uid", uid);
            RdmaUcmConnParam.write(command.request().slice("conn_param"), parameters);
            command.send(file);
        }
    }

    /// Confirms that this end's queue pair is ready, after the event that the peer has accepted. The kernel keeps the
    /// identifier's number in events.
    public static void confirm(DeviceFile file, int id) {
        try (Arena arena = Arena.ofConfined()) {
            CmCommand.of(arena, SPECIFICATION).set("id", id).send(file);
        }
    }
}
