// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import io.verbs4j.tools.common.CNumber;
import io.verbs4j.tools.common.ToolException;
import io.verbs4j.tools.pingpong.PingPongOptions;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `verbs ucmatose`.
@Command(
        name = "ucmatose",
        header = "Connect several times by IP address and exchange messages.",
        description = {
                "%nCompatible with ucmatose of librdmacm. The client opens -c connections. The server sends messages"
                        + " on each connection, the client sends as many back, and the server disconnects. Both sides"
                        + " need the same -c, -C and -S.%n"
        },
        footer = {"%nExample:", "  verbs ucmatose -b 10.9.0.2 -c 4", "  verbs ucmatose -s 10.9.0.2 -c 4"})
public final class UcmatoseCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Mixin private final TestOptions options = new TestOptions();

    @Option(
            names = "-p",
            paramLabel = "<port>",
            defaultValue = "7471",
            converter = PingPongOptions.TcpPort.class,
            description = "The port (default: ${DEFAULT-VALUE}).") private int port;

    @Option(names = "-P", paramLabel = "<space>", defaultValue = "tcp",
            description = "Port space: only tcp is supported.") private String space = "tcp";

    @Option(
            names = "-a",
            paramLabel = "<n>",
            converter = Exponent.class,
            description = "Acknowledgement timeout: 4.096 µs × 2^n; n is 0 to 31 (default: chosen by the kernel).") private @Nullable Integer acknowledgeTimeout;

    @Option(names = "-m",
            description = "Move all identifiers to another event channel before the end.") private boolean migrate;

    /// 0 to 31.
    static final class Exponent extends CNumber {
        Exponent() {
            super(0, 31);
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        options.check();
        if (!space.toLowerCase(Locale.ROOT).startsWith("tcp")) {
            throw new ToolException("only the port space tcp is supported: " + space);
        }
        var console = new Console(spec.commandLine().getOut());
        try (var run = new UcmatoseRun(options, port, acknowledgeTimeout, migrate, console)) {
            run.run();
        }
        console.print("return status 0");
        return 0;
    }
}
