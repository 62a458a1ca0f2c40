// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import io.verbs4j.tools.common.CNumber;
import io.verbs4j.tools.pingpong.ExchangeOptions;
import io.verbs4j.tools.pingpong.PathMtuOption;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.QueuePairType;
import java.util.Arrays;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/// The supported options of perftest, with their names and defaults.
final class PerfOptions extends ExchangeOptions {
    @Parameters(
            index = "0",
            paramLabel = "<test>",
            converter = TestName.class,
            completionCandidates = TestNames.class,
            description = "send-lat, send-bw, write-lat, write-bw, read-lat, read-bw, atomic-lat or atomic-bw.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    PerfTest test;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "<host>",
            description = "The server's name or address. Without it this is the server.")
    @Nullable String host;

    @Option(
            names = {"-x", "--gid-index"},
            paramLabel = "<index>",
            converter = CNumber.NotNegative.class,
            description = "Index of the local GID (default: the best one).")
    @Nullable Integer gidIndex;

    @Option(
            names = {"-c", "--connection"},
            paramLabel = "<type>",
            defaultValue = "RC",
            description = "Transport: RC, UC (sends and writes) or UD (sends) (default: ${DEFAULT-VALUE}).") QueuePairType connection =
                    QueuePairType.RC;

    @Option(
            names = {"-s", "--size"},
            paramLabel = "<bytes>",
            converter = MessageSize.class,
            description = "Size of a message; K or M may follow (default: 2 for latency, 65536 for bandwidth; always 8"
                    + " for atomics).")
    @Nullable Integer size;

    @Option(
            names = {"-a", "--all"},
            description = "Measure all sizes from 2 to 8388608 bytes, in powers of 2.") boolean all;

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "<n>",
            converter = CNumber.Positive.class,
            description = "Messages to measure, per queue pair; at least 2 in latency tests (default: 1000, write-bw"
                    + " 5000).")
    @Nullable Integer iterations;

    @Option(
            names = {"-D", "--duration"},
            paramLabel = "<seconds>",
            converter = CNumber.Positive.class,
            description = "Measure for this time instead of a number of messages; bandwidth tests with sends need it at"
                    + " both ends.")
    @Nullable Integer duration;

    @Option(
            names = {"-t", "--tx-depth"},
            paramLabel = "<n>",
            converter = CNumber.Positive.class,
            description = "Outstanding sends per queue pair (default: 1 for latency, 128 for bandwidth).")
    @Nullable Integer sendDepth;

    @Option(
            names = {"-r", "--rx-depth"},
            paramLabel = "<n>",
            converter = CNumber.Positive.class,
            description = "Receive queue depth in tests of sends (default: 512; with UC and UD, the number of messages,"
                    + " at most 16000).")
    @Nullable Integer receiveDepth;

    @Option(
            names = {"-Q", "--cq-mod"},
            paramLabel = "<n>",
            converter = CNumber.Positive.class,
            description = "Request a completion for every Nth send (default: 100; 1 for messages above 8192 bytes; -l if"
                    + " it is above 1). The value is limited to that of -t.")
    @Nullable Integer moderation;

    @Option(
            names = {"-l", "--post_list"},
            paramLabel = "<n>",
            defaultValue = "1",
            converter = CNumber.Positive.class,
            description = "Work requests per doorbell, in bandwidth tests; a multiple of -Q (default:"
                    + " ${DEFAULT-VALUE}).") int list;

    @Option(
            names = {"-I", "--inline_size"},
            paramLabel = "<bytes>",
            defaultValue = "0",
            converter = CNumber.NotNegative.class,
            description = "Send messages up to this size inline, in tests of sends and writes (default:"
                    + " ${DEFAULT-VALUE}).") int inline;

    @Option(
            names = {"-q", "--qp"},
            paramLabel = "<n>",
            defaultValue = "1",
            converter = CNumber.Positive.class,
            description = "Queue pairs, in bandwidth tests (default: ${DEFAULT-VALUE}).") int queuePairs;

    @Option(
            names = {"-b", "--bidirectional"},
            description = "Send in both directions concurrently, in bandwidth tests.") boolean bidirectional;

    @Option(
            names = {"-e", "--events"},
            description = "Sleep until an event reports completions (default: poll for them).") boolean events;

    @Option(
            names = {"-N", "--noPeak"},
            description = "Do not compute the peak bandwidth. The computation evaluates the times of all messages at the end.") boolean noPeak;

    @Option(
            names = {"-R", "--rdma_cm"},
            description = "Let the connection manager connect the queue pairs, by the server's address; for RC and UD.") boolean connectByAddress;

    @Option(
            names = {"-m", "--mtu"},
            paramLabel = "<bytes>",
            converter = PathMtuOption.MtuBytes.class,
            description = "Path MTU (default: the port's active MTU); the smaller value of both ends is used.")
    @Nullable Mtu mtu;

    @Option(
            names = {"-F", "--CPU-freq"},
            description = "Ignored; accepted for compatibility with perftest. Times are in nanoseconds, not cycles.") boolean anyFrequency;

    @Option(
            names = "--warm-up",
            paramLabel = "<n>",
            defaultValue = "0",
            converter = CNumber.NotNegative.class,
            description = "Messages before the measurement, for warm-up; use 20000 or more for a fair comparison. The"
                    + " client's number is used. With a C program as peer, tests of sends and of write-lat have no"
                    + " warm-up (default: ${DEFAULT-VALUE}).") int warmUp;

    @Option(
            names = "--average",
            description = "In latency tests, send the same number of messages once more, and read the clock only before"
                    + " the first and the last one. Print their average in a separate line. If reading the clock takes a"
                    + " system call, the other figures include the time of the call. The client's choice is used. Sends"
                    + " and write-lat need verbs4j at both ends.") boolean average;

    @Option(
            names = "--report_gbits",
            description = "Bandwidth in Gb/s instead of MiB/s.") boolean gigabits;

    /// Reads a size such as `64K`. Rejects lower-case letters, because C silently reads `64k` as 64 bytes.
    static final class MessageSize implements ITypeConverter<Integer> {
        private static final CNumber NUMBER = new CNumber.Positive();

        @Override
        public Integer convert(String text) {
            int shift = text.endsWith("K") ? 10 : text.endsWith("M") ? 20 : 0;
            int number;
            try {
                number = NUMBER.convert(shift == 0 ? text : text.substring(0, text.length() - 1));
            } catch (TypeConversionException e) {
                throw new TypeConversionException("'" + text + "' is not a size such as 4096, 64K or 1M");
            }
            if (number > Integer.MAX_VALUE >> shift) {
                throw new TypeConversionException("'" + text + "' is more than " + Integer.MAX_VALUE + " bytes");
            }
            return number << shift;
        }
    }

    /// The tests' names, for shell completion.
    static final class TestNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(PerfTest.values()).map(PerfTest::commandName).iterator();
        }
    }

    /// Reads a test's name.
    static final class TestName implements ITypeConverter<PerfTest> {
        @Override
        public PerfTest convert(String text) {
            for (PerfTest test : PerfTest.values()) {
                if (test.commandName().equals(text)) {
                    return test;
                }
            }
            throw new TypeConversionException("'" + text + "' is not a test: send-lat, send-bw, write-lat, write-bw,"
                    + " read-lat, read-bw, atomic-lat or atomic-bw");
        }
    }
}
