// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.tools.common.ToolException;
import io.verbs4j.types.QueuePairType;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `verbs uc-pingpong`.
@Command(
        name = "uc-pingpong",
        header = "Exchange messages over an unreliable connection, and report how long it took.",
        description = {
                "%nTwo programs, a server and a client, send each other one message at a time. Options, exchange of addresses"
                        + " and output are those of ibv_uc_pingpong, so either end may be the C program. Size, iterations and"
                        + " MTU must be the same at both ends.%n"
        },
        footer = {
                "%nA lost message ends the exchange, because it is not repeated. Both ends give up after 30 s without"
                        + " an answer. The C program waits indefinitely.",
                "%nExample, two devices of one machine:",
                "  verbs uc-pingpong -d rxe1 -g 1                  the server",
                "  verbs uc-pingpong -d rxe0 -g 1 10.9.0.2         the client",
                "  ibv_uc_pingpong -d rxe0 -g 1 10.9.0.2           or the client in C"
        })
public final class UcPingPongCommand extends PingPongCommand {
    @Mixin private final PingPongOptions options = new PingPongOptions(PingPongOptions.LONG_MESSAGE);

    @Mixin private final PathMtuOption path = new PathMtuOption();

    @Override
    boolean play(Console console) {
        if (options.byAddress()) {
            throw new ToolException(
                    "-R does not support UC: the connection manager has port spaces only for reliable connections and datagrams",
                    "use rc-pingpong -R or ud-pingpong -R");
        }
        var transport = new ConnectedTransport(QueuePairType.UC, options.devicePort(), path.mtu());
        return new PingPong(options, transport.headerBytes(), console)
                .run(new ExchangeMeeting(options, transport, console));
    }
}
