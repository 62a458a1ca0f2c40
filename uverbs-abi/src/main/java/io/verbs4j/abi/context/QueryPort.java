// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.context;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.IoctlCommand;
import io.verbs4j.abi.command.KernelErrors;
import io.verbs4j.abi.command.Verb;
import io.verbs4j.abi.command.WriteCommand;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.IbUverbsQueryPort;
import io.verbs4j.abi.uapi.IbUverbsQueryPortResp;
import io.verbs4j.abi.uapi.IbUverbsQueryPortRespEx;
import io.verbs4j.abi.uapi.UverbsAttribute;
import io.verbs4j.abi.uapi.UverbsMethod;
import io.verbs4j.types.PortAttributes;
import io.verbs4j.types.Ranges;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Asks for the state and limits of a port: by `UVERBS_METHOD_QUERY_PORT`, or the write command 2, which tells less.
///
/// @see "ibv_query_port(3)"
public final class QueryPort {
    private QueryPort() {}

    /// Asks.
    ///
    /// @param port from 1
    public static PortAttributes execute(CommandChannel channel, int port) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment response = IbUverbsQueryPortRespEx.STRUCT.allocate(arena);
            int result = IoctlCommand.of(arena, UverbsMethod.QUERY_PORT)
                    .constant(UverbsAttribute.QUERY_PORT_PORT_NUM, port)
                    .out(UverbsAttribute.QUERY_PORT_RESP, response)
                    .execute(channel);
            if (IoctlCommand.isMissing(result)) {
                return byWrite(channel, arena, port);
            }
            KernelErrors.check(Verb.QUERY_PORT, result);
            return IbUverbsQueryPortRespEx.read(response, port);
        }
    }

    private static PortAttributes byWrite(CommandChannel channel, Arena arena, int port) {
        // The request has 8 bits for it, and must not turn port 257 into port 1.
        Ranges.check("port", port, 0, 255);
        WriteCommand command = WriteCommand.of(
                arena,
                IbUserVerbsCmd.QUERY_PORT,
                IbUverbsQueryPort.STRUCT,
                IbUverbsQueryPortResp.STRUCT)
                .set("port_num", port);
        KernelErrors.check(Verb.QUERY_PORT, command.execute(channel));
        return IbUverbsQueryPortResp.read(command.response().memory(), port);
    }
}
