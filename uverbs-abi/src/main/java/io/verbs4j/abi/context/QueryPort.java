// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.context;

import static io.verbs4j.abi.uapi.CStruct.bytes;
import static io.verbs4j.abi.uapi.CStruct.u64;
import static io.verbs4j.abi.uapi.CStruct.u8;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.IoctlCommand;
import io.verbs4j.abi.command.WriteCommand;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.IbUverbsQueryPortResp;
import io.verbs4j.abi.uapi.IbUverbsQueryPortRespEx;
import io.verbs4j.abi.uapi.UapiHeader;
import io.verbs4j.abi.uapi.UverbsAttribute;
import io.verbs4j.abi.uapi.UverbsMethod;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.types.Errno;
import io.verbs4j.types.PortAttributes;
import io.verbs4j.types.Ranges;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Queries the state and limits of a port: by `UVERBS_METHOD_QUERY_PORT`, or write command 2, which reports less.
///
/// @see "ibv_query_port(3)"
public final class QueryPort {
    private static final CStruct REQUEST = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_query_port",
            u64("response", "address of the response buffer of a write(); 0 inside an ioctl"),
            u8("port_num", "from 1"),
            bytes("reserved", 7));

    /// Attributes of a port.
    public static final UverbsMethod METHOD = UverbsMethod.of(UverbsObject.DEVICE, 2, "QUERY_PORT");
    /// Constant: the port, from 1.
    public static final UverbsAttribute QUERY_PORT_PORT_NUM = METHOD.constant(0, "QUERY_PORT_PORT_NUM");
    /// Out: [IbUverbsQueryPortRespEx].
    public static final UverbsAttribute QUERY_PORT_RESP =
            METHOD.out(1, "QUERY_PORT_RESP", IbUverbsQueryPortRespEx.STRUCT);
    /// The write command.
    public static final IbUserVerbsCmd WRITE =
            IbUserVerbsCmd.of(2, "QUERY_PORT", REQUEST, IbUverbsQueryPortResp.STRUCT);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("query port")
            .method(METHOD, "5.0")
            .write(WRITE, "2.6.14")
            .reads(UverbsObject.DEVICE)
            .cause(Errno.EINVAL, "there is no such port; ports count from 1");

    private QueryPort() {}

    /// Queries a port.
    ///
    /// @param port from 1
    public static PortAttributes execute(CommandChannel channel, int port) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment response = IbUverbsQueryPortRespEx.STRUCT.allocate(arena);
            int result = IoctlCommand.of(arena, SPECIFICATION)
                    .constant(QUERY_PORT_PORT_NUM, port)
                    .out(QUERY_PORT_RESP, response)
                    .execute(channel);
            if (IoctlCommand.isMissing(result)) {
                return byWrite(channel, arena, port);
            }
            SPECIFICATION.check(result);
            return IbUverbsQueryPortRespEx.read(response, port);
        }
    }

    private static PortAttributes byWrite(CommandChannel channel, Arena arena, int port) {
        // The request has 8 bits for the port, and must not turn port 257 into port 1.
        Ranges.check("port", port, 0, 255);
        WriteCommand command = WriteCommand.of(arena, SPECIFICATION)
                .set("port_num", port);
        SPECIFICATION.check(command.execute(channel));
        return IbUverbsQueryPortResp.read(command.response().memory(), port);
    }
}
