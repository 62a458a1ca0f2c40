// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import io.verbs4j.tools.common.CNumber;
import io.verbs4j.tools.common.Hosts;
import io.verbs4j.tools.pingpong.PingPongOptions;
import java.io.PrintWriter;
import java.io.Writer;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `verbs cmtime`.
@Command(
        name = "cmtime",
        header = "Measure how long connections by IP address take.",
        description = {
                "%nCompatible with cmtime of rdma-core 44. The client performs each step for all connections before"
                        + " it starts the next step. Then it ends the connections and prints the times. The server"
                        + " runs until interrupted.%n"
        },
        footer = {"%nExample:", "  verbs cmtime -b 10.9.0.2", "  verbs cmtime -s 10.9.0.2 -c 1000 --warm-up 500"})
public final class CmtimeCommand extends EndOptions implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(
            names = "-c",
            paramLabel = "<n>",
            defaultValue = "100",
            converter = CNumber.Positive.class,
            description = "Number of connections (default: ${DEFAULT-VALUE}). A server ignores it, except with --once.") private int connections;

    @Option(
            names = "-p",
            paramLabel = "<port>",
            defaultValue = "7471",
            converter = PingPongOptions.TcpPort.class,
            description = "The port (default: ${DEFAULT-VALUE}).") private int port;

    @Option(
            names = "-r",
            paramLabel = "<n>",
            defaultValue = "2",
            converter = CNumber.NotNegative.class,
            description = "Retries of address and route resolution (default: ${DEFAULT-VALUE}).") private int retries;

    @Option(
            names = "-t",
            paramLabel = "<ms>",
            defaultValue = "2000",
            converter = CNumber.Positive.class,
            description = "Timeout of address and route resolution, in milliseconds (default: ${DEFAULT-VALUE}).") private int timeout;

    @Option(
            names = "--warm-up",
            paramLabel = "<n>",
            defaultValue = "0",
            converter = CNumber.NotNegative.class,
            description = "Connections before the measurement, for warm-up (default: ${DEFAULT-VALUE}).") private int warmUp;

    @Option(names = "--once", description = "End the server after -c connections.") private boolean once;

    @Override
    public Integer call() throws InterruptedException {
        if (server == null) {
            try (var serving = new CmtimeServer()) {
                serving.run(Hosts.resolve(own, port), once ? connections : 0);
            }
            return 0;
        }
        var console = new Console(spec.commandLine().getOut());
        var silent = new Console(new PrintWriter(Writer.nullWriter()));
        try (
                var client =
                        new CmtimeClient(Hosts.resolve(server, port), source(), Duration.ofMillis(timeout), retries)) {
            for (int left = warmUp; left > 0; left -= connections) {
                client.run(Math.min(left, connections), silent);
            }
            client.run(connections, console).print(console, own != null);
        }
        return 0;
    }
}
