// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `verbs ud-pingpong`.
@Command(
        name = "ud-pingpong",
        header = "Exchange datagrams, and report how long it took.",
        description = {
                "%nTwo programs, a server and a client, send each other one datagram at a time. Options, exchange of addresses"
                        + " and output are those of ibv_ud_pingpong, so either end may be the C program. Size and iterations"
                        + " must be the same at both ends. A datagram must fit into one packet.%n"
        },
        footer = {
                "%nA lost datagram ends the exchange, because it is not repeated. Both ends give up after 30 s without"
                        + " an answer. The C program waits indefinitely.",
                "%nExample, two devices of one machine:",
                "  verbs ud-pingpong -d rxe1 -g 1                  the server",
                "  verbs ud-pingpong -d rxe0 -g 1 10.9.0.2         the client",
                "  ibv_ud_pingpong -d rxe0 -g 1 10.9.0.2           or the client in C",
                "%nBy address, without -g and -d:",
                "  verbs ud-pingpong -R    and    verbs ud-pingpong -R 10.9.0.2"
        })
public final class UdPingPongCommand extends PingPongCommand {
    /// The default size of the C program. Its help text incorrectly contains 2048.
    private static final int SHORT_MESSAGE = 1024;

    @Mixin private final PingPongOptions options = new PingPongOptions(SHORT_MESSAGE);

    @Override
    boolean play(Console console) {
        var transport = new DatagramTransport(options.devicePort(), options.size(), options.serviceLevel());
        Meeting meeting = options.byAddress()
                ? CmMeeting.ofDatagrams(options, console)
                : new ExchangeMeeting(options, transport, console);
        return new PingPong(options, transport.headerBytes(), console).run(meeting);
    }
}
