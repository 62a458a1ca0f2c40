// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import io.verbs4j.tools.common.ToolException;
import io.verbs4j.tools.pingpong.PingPongOptions;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `verbs udaddy`.
@Command(
        name = "udaddy",
        header = "Resolve a datagram service by IP address, and exchange datagrams.",
        description = {
                "%nCompatible with udaddy of librdmacm. The client looks up the server's queue pairs and sends"
                        + " datagrams to them, and the server answers each datagram. Both sides need the same -c, -C"
                        + " and -S.%n"
        },
        footer = {"%nExample:", "  verbs udaddy -b 10.9.0.2", "  verbs udaddy -s 10.9.0.2"})
public final class UdaddyCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Mixin private final TestOptions options = new TestOptions();

    @Option(
            names = "--port",
            paramLabel = "<port>",
            defaultValue = "7174",
            converter = PingPongOptions.TcpPort.class,
            description = "The port (default: ${DEFAULT-VALUE}, the only port of the C program).") private int port;

    @Option(names = {"-P", "-p"}, paramLabel = "<space>",
            description = "Port space: udp, or its number 0x111. No other is supported.") private @Nullable String space;

    @Override
    public Integer call() throws InterruptedException {
        options.check();
        if (space != null && !space.equalsIgnoreCase("udp") && !space.equalsIgnoreCase("0x111")) {
            throw new ToolException("only the port space udp is supported: " + space);
        }
        var console = new Console(spec.commandLine().getOut());
        try (var run = new UdaddyRun(options, port, console)) {
            run.run();
        }
        console.print("return status 0");
        return 0;
    }
}
