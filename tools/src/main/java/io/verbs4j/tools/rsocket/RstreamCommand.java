// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.rsocket;

import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.rsocket.RdmaServerSocket;
import io.verbs4j.cm.rsocket.RdmaSocket;
import io.verbs4j.cm.rsocket.RdmaSocketOptions;
import io.verbs4j.tools.CNumber;
import io.verbs4j.tools.Hosts;
import io.verbs4j.tools.ToolException;
import io.verbs4j.tools.pingpong.PingPongOptions;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `verbs rstream`.
@Command(
        name = "rstream",
        header = "Measure streams of bytes that speak the protocol of rsockets.",
        description = {
                "%nDoes what rstream of rdma-core does, and speaks with it. Both sides need the same -S, -C, -I and -T v. Without them,"
                        + " all usual sizes are measured: first their latency, then, over a second stream, their bandwidth.%n"
        },
        footer = {"%nExample:", "  verbs rstream -b 10.9.0.2 -S 64 -C 1000",
                "  verbs rstream -b 10.9.0.1 -s 10.9.0.2 -S 64 -C 1000"})
public final class RstreamCommand implements Callable<Integer> {
    private static final int DEFAULT_COUNT = 1000;
    private static final int DEFAULT_BUFFER = 1 << 19;
    private static final int MOST_BUFFER = 1 << 27;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(
            names = "-s",
            paramLabel = "<address>",
            description = "Connect to the server at this address. Without it this is the server.") private @Nullable String server;

    @Option(
            names = "-b",
            paramLabel = "<address>",
            description = "Our own address (default of a server: any IPv4 address).") private @Nullable String own;

    @Option(
            names = "-p",
            paramLabel = "<port>",
            defaultValue = "7471",
            converter = PingPongOptions.TcpPort.class,
            description = "The port (default: ${DEFAULT-VALUE}).") private int port;

    @Option(names = "-S", paramLabel = "<bytes>",
            description = "Bytes of a transfer, or 'all' for many sizes (default with -C or -I: 1000).") private @Nullable String size;

    @Option(
            names = "-C",
            paramLabel = "<n>",
            converter = CNumber.Positive.class,
            description = "Transfers in one direction, then the other (default with -S or -I: 1000).") private @Nullable Integer count;

    @Option(
            names = "-I",
            paramLabel = "<n>",
            converter = CNumber.Positive.class,
            description = "Rounds (default with -S or -C: 1).") private @Nullable Integer iterations;

    @Option(
            names = "-B",
            paramLabel = "<bytes>",
            defaultValue = "524288",
            converter = CNumber.Positive.class,
            description = "Half of each ring (default: ${DEFAULT-VALUE}).") private int buffer = DEFAULT_BUFFER;

    /// C's size of messages that travel inline.
    @Option(names = "-i", paramLabel = "<bytes>",
            description = "Taken as C takes it; here data never travel inline.")
    void inlineBytes(int bytes) {
        if (bytes < 0) {
            throw new ToolException("-i is a number of bytes: " + bytes);
        }
    }

    @Option(
            names = "-T",
            paramLabel = "<option>",
            description = "v: compare the data. a, b, n, r: ways in which C waits or resolves, which are all one here.") private List<String> tests =
                    List.of();

    @Override
    public Integer call() throws InterruptedException {
        boolean verify = verify();
        var print = spec.commandLine().getOut();
        RdmaSocketOptions options = options();
        boolean all = "all".equals(size);
        boolean custom = count != null || iterations != null || (size != null && !all);
        try (
                RdmaServerSocket listening =
                        server == null ? RdmaServerSocket.listen(Hosts.resolve(own, port), options) : null) {
            line(print, RstreamTest.header());
            if (custom) {
                var test = new RstreamTest("custom", transferSize(), or(count, DEFAULT_COUNT), or(iterations, 1));
                measure(listening, options, List.of(test), verify, print);
                return 0;
            }
            List<Integer> sizes = RstreamTest.sizes(all);
            measure(listening, options, sizes.stream().map(RstreamTest::latency).toList(), verify, print);
            measure(listening, options, sizes.stream().map(RstreamTest::bandwidth).toList(), verify, print);
        }
        return 0;
    }

    private void measure(
            @Nullable RdmaServerSocket listening,
            RdmaSocketOptions options,
            List<RstreamTest> tests,
            boolean verify,
            PrintWriter print)
            throws InterruptedException {
        int largest = tests.stream().mapToInt(RstreamTest::size).max().orElseThrow();
        try (
                RdmaSocket socket = listening == null
                        ? RdmaSocket.connect(Hosts.resolve(server, port), options)
                        : listening.accept()) {
            var run = new RstreamRun(socket, listening == null, verify, largest);
            for (RstreamTest test : tests) {
                line(print, test.line(run.run(test)));
            }
        }
    }

    private RdmaSocketOptions options() {
        if (buffer > MOST_BUFFER) {
            throw new ToolException("-B is at most " + MOST_BUFFER + ": " + buffer);
        }
        ConnectionOptions connection = ConnectionOptions.defaults().withTimeout(Duration.ofSeconds(30));
        if (server != null && own != null) {
            connection = connection.withSource(Hosts.resolve(own, 0));
        }
        int ring = Math.max(4096, 2 * buffer / 16 * 16);
        return RdmaSocketOptions.defaults().withConnection(connection).withBuffers(ring, ring);
    }

    private int transferSize() {
        if (size == null || "all".equals(size)) {
            return DEFAULT_COUNT;
        }
        try {
            int bytes = Integer.parseInt(size);
            if (bytes > 0) {
                return bytes;
            }
        } catch (NumberFormatException e) {
            // as below
        }
        throw new ToolException("-S is a number of bytes, or 'all': " + size);
    }

    private boolean verify() {
        boolean verify = false;
        for (String test : tests) {
            switch (test) {
                case "v", "verify" -> verify = true;
                case "a", "async", "b", "blocking", "n", "nonblocking", "r", "resolve" -> {
                }
                default -> throw new ToolException("-T knows a, b, n, r and v: " + test);
            }
        }
        return verify;
    }

    private static int or(@Nullable Integer value, int other) {
        return value == null ? other : value;
    }

    private static void line(PrintWriter print, String text) {
        print.println(text);
        print.flush();
    }
}
