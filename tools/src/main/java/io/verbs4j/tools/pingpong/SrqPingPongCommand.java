// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.tools.common.CNumber;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `verbs srq-pingpong`.
@Command(
        name = "srq-pingpong",
        header = "Exchange messages over several reliable connections that share a receive queue.",
        description = {
                "%nTwo programs, a server and a client, send each other one message at a time on each of their queue pairs."
                        + " Options, exchange of addresses and output are those of ibv_srq_pingpong, so either end may be the"
                        + " C program. Size, iterations, queue pairs and MTU must be the same at both ends.%n"
        },
        footer = {
                "%nThe program gives up if its peer does not answer for 30 s. The C program waits indefinitely.",
                "%nExample, two devices of one machine:",
                "  verbs srq-pingpong -d rxe1 -g 1 -q 4                  the server",
                "  verbs srq-pingpong -d rxe0 -g 1 -q 4 10.9.0.2         the client",
                "  ibv_srq_pingpong -d rxe0 -g 1 -q 4 10.9.0.2           or the client in C",
                "%nBy address, without -g and -d:",
                "  verbs srq-pingpong -R -q 4    and    verbs srq-pingpong -R -q 4 10.9.0.2"
        })
public final class SrqPingPongCommand extends PingPongCommand {
    @Mixin private final PingPongOptions options = new PingPongOptions(PingPongOptions.LONG_MESSAGE);

    @Mixin private final PathMtuOption path = new PathMtuOption();

    @Option(
            names = {"-q", "--num-qp"},
            paramLabel = "<n>",
            defaultValue = "16",
            converter = QueuePairs.class,
            description = "Queue pairs, 1 to 255; --iters counts the exchanges of all queue pairs (default:"
                    + " ${DEFAULT-VALUE}).") private int queuePairs;

    @Override
    boolean play(Console console) {
        return new SharedReceivePingPong(options, path.mtu(), queuePairs, console).run();
    }

    static final class QueuePairs extends CNumber {
        QueuePairs() {
            super(1, SharedReceivePingPong.ADDRESSES - 1);
        }
    }
}
