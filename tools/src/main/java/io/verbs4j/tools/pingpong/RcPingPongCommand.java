// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `verbs rc-pingpong`.
@Command(
        name = "rc-pingpong",
        header = "Exchange messages over a reliable connection, and tell how long it took.",
        description = {
                "%nTwo programs, a server and a client, send each other one message at a time. Options, exchange of addresses"
                        + " and output are those of ibv_rc_pingpong, so either end may be the C program. Size, iterations and"
                        + " MTU must be the same at both ends.%n"
        },
        footer = {
                "%nA peer that is silent for 30 s counts as gone; the C program would wait for ever.",
                "%nExample, two devices of one machine:",
                "  verbs rc-pingpong -d rxe1 -g 1                  the server",
                "  verbs rc-pingpong -d rxe0 -g 1 10.9.0.2         the client",
                "  ibv_rc_pingpong -d rxe0 -g 1 10.9.0.2           or the client in C"
        })
public final class RcPingPongCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Mixin private final PingPongOptions options = new PingPongOptions();

    @Option(
            names = {"-N", "--new_send"},
            description = "Accepted for the sake of scripts: C posts by another function then, we have only one.")
    @SuppressWarnings("UnusedVariable") // changes nothing
    private boolean newSend;

    @Override
    public Integer call() {
        var commandLine = spec.commandLine();
        return new RcPingPong(options, commandLine.getOut(), commandLine.getErr()).run() ? 0 : 1;
    }
}
