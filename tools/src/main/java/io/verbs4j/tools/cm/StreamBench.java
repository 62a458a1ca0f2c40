// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import io.verbs4j.cm.stream.RdmaStream;
import io.verbs4j.cm.stream.RdmaStreamServer;
import io.verbs4j.cm.stream.StreamOptions;
import io.verbs4j.tools.common.CNumber;
import io.verbs4j.tools.common.Hosts;
import io.verbs4j.tools.common.Listening;
import io.verbs4j.tools.pingpong.PingPongOptions;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The options of `rstream` and `riostream`, and the execution of their tests.
@Command // so that picocli finds the options
abstract sealed class StreamBench extends EndOptions implements Callable<Integer>
        permits RiostreamCommand, RstreamCommand {
    private static final int DEFAULT_BUFFER = 1 << 19;
    private static final int DEFAULT_BYTES = 1000;
    private static final int DEFAULT_TRANSFERS = 1000;
    /// The size that stands for 33 sizes.
    private static final int ALL = 0;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(names = "-B", paramLabel = "<bytes>", converter = CNumber.Positive.class, defaultValue = "524288",
            description = "Buffer size in bytes (default: ${DEFAULT-VALUE}). For each direction, the stream has one"
                    + " buffer of twice this size.") private int buffer =
                            DEFAULT_BUFFER;

    @Option(
            names = "-i",
            paramLabel = "<bytes>",
            converter = CNumber.NotNegative.class,
            description = "Ignored; accepted for compatibility with librdmacm's programs. Nothing is sent inline.")
    void inline(int bytes) {
        // Every message is sent from the stream's buffer.
    }

    @Option(names = "-I", paramLabel = "<n>", converter = CNumber.Positive.class,
            description = "Number of iterations (default: 1).") private @Nullable Integer iterations;

    @Option(names = "-C", paramLabel = "<n>", converter = CNumber.Positive.class,
            description = "Number of transfers in each direction, per iteration (default: 1000).") private @Nullable Integer transfers;

    @Option(names = "-S", paramLabel = "<bytes>", converter = Size.class,
            description = "Bytes per transfer (default: 1000); 'all' tests 33 sizes.") private @Nullable Integer size;

    @Option(names = "-p", paramLabel = "<port>", defaultValue = "7471", converter = PingPongOptions.TcpPort.class,
            description = "The port (default: ${DEFAULT-VALUE}).") private int port;

    @Option(names = "-T", paramLabel = "<option>",
            description = "v or verify: check the received data. b or blocking: sleep until data arrive; by default,"
                    + " rstream polls. The values a, n and r are ignored; accepted for compatibility.") private List<String> tests =
                            List.of();

    @Override
    public Integer call() throws InterruptedException {
        Set<Test> chosen = EnumSet.noneOf(Test.class);
        tests.forEach(test -> chosen.add(test(test)));
        boolean all = size != null && size == ALL;
        boolean custom = iterations != null || transfers != null || (size != null && !all);
        StreamOptions options = adapted(StreamOptions.defaults())
                .withConnectTimeout(Duration.ofSeconds(30))
                .withBuffers(ringBytes(), ringBytes());
        if (own != null && server != null) {
            options = options.withSource(Hosts.resolve(own, 0));
        }
        var console = new Console(spec.commandLine().getOut());
        try (
                RdmaStreamServer listener =
                        server == null ? RdmaStreamServer.listen(Hosts.resolve(own, port), options) : null) {
            if (listener != null) {
                Listening.begins();
            }
            console.print(RstreamReport.head());
            if (custom) {
                RstreamTest test = custom(all);
                run(listener, options, chosen, List.of(test.bytes()), bytes -> test, console);
            } else {
                run(listener, options, chosen, RstreamTest.sizes(all), RstreamTest::latency, console);
                run(listener, options, chosen, RstreamTest.sizes(all), RstreamTest::bandwidth, console);
            }
        }
        return 0;
    }

    /// Returns options with the changes that the tests need.
    abstract StreamOptions adapted(StreamOptions options);

    /// Returns the object that performs the transfers.
    ///
    /// @param most size of the largest transfer
    abstract StreamTransfers transfers(boolean client, Set<Test> tests, int most);

    /// A value of the option `-T`.
    enum Test {
        VERIFY, BLOCKING, IGNORED
    }

    private Test test(String test) {
        return switch (test.toLowerCase(Locale.ROOT)) {
            case "v", "verify" -> Test.VERIFY;
            case "b", "block", "blocking" -> Test.BLOCKING;
            case "a", "async", "n", "nonblock", "nonblocking", "r", "resolve" -> Test.IGNORED;
            default -> throw new ParameterException(spec.commandLine(), "-T must be one of a, b, n, r and v: " + test);
        };
    }

    /// A positive number of bytes, or [#ALL].
    static final class Size extends CNumber {
        Size() {
            super(1, Integer.MAX_VALUE);
        }

        @Override
        public Integer convert(String text) {
            return text.toLowerCase(Locale.ROOT).startsWith("all") ? Integer.valueOf(ALL) : super.convert(text);
        }
    }

    private int ringBytes() {
        return Math.clamp(2L * buffer, StreamOptions.MIN_BYTES, StreamOptions.MAX_BYTES);
    }

    private RstreamTest custom(boolean all) {
        return new RstreamTest(
                "custom",
                size == null || all ? DEFAULT_BYTES : size,
                transfers == null ? DEFAULT_TRANSFERS : transfers,
                iterations == null ? 1 : iterations);
    }

    private void run(
            @Nullable RdmaStreamServer listener,
            StreamOptions options,
            Set<Test> chosen,
            List<Integer> sizes,
            IntFunction<RstreamTest> test,
            Console console)
            throws InterruptedException {
        StreamTransfers run = transfers(listener == null, chosen, sizes.getLast());
        try (
                RdmaStream stream = listener == null
                        ? RdmaStream.connect(Hosts.resolve(server, port), options)
                        : listener.accept()) {
            for (int bytes : sizes) {
                RstreamTest next = test.apply(bytes);
                console.print(RstreamReport.line(next, run.run(stream, next)));
            }
        }
    }
}
