// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.types.QueuePairType;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `verbs rc-pingpong`.
@Command(
        name = "rc-pingpong",
        header = "Exchange messages over a reliable connection, and report how long it took.",
        description = {
                "%nTwo programs, a server and a client, send each other one message at a time. Options, exchange of addresses"
                        + " and output are those of ibv_rc_pingpong, so either end may be the C program. Size, iterations and"
                        + " MTU must be the same at both ends.%n"
        },
        footer = {
                "%nThe program gives up if its peer does not answer for 30 s. The C program waits indefinitely.",
                "%nExample, two devices of one machine:",
                "  verbs rc-pingpong -d rxe1 -g 1                  the server",
                "  verbs rc-pingpong -d rxe0 -g 1 10.9.0.2         the client",
                "  ibv_rc_pingpong -d rxe0 -g 1 10.9.0.2           or the client in C",
                "%nBy address, without -g and -d:",
                "  verbs rc-pingpong -R    and    verbs rc-pingpong -R 10.9.0.2"
        })
public final class RcPingPongCommand extends PingPongCommand {
    @Mixin private final PingPongOptions options = new PingPongOptions(PingPongOptions.LONG_MESSAGE);

    @Mixin private final PathMtuOption path = new PathMtuOption();

    @Option(
            names = {"-N", "--new_send"},
            description = "Ignored; accepted for compatibility with ibv_rc_pingpong.")
    @SuppressWarnings("UnusedVariable") // changes nothing
    private boolean newSend;

    @Override
    boolean play(Console console) {
        var transport = new ConnectedTransport(QueuePairType.RC, options.devicePort(), path.mtu());
        Meeting meeting = options.byAddress()
                ? CmMeeting.ofConnections(options, console)
                : new ExchangeMeeting(options, transport, console);
        return new PingPong(options, transport.headerBytes(), console).run(meeting);
    }
}
