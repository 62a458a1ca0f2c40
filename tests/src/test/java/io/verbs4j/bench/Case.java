// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/// A case of the comparison of C and Java.
///
/// @param name the case's name, without a comma
/// @param c the program of perftest or rdma-core and its options, with `SIZE` and `COUNT`
/// @param java the command of `tools/verbs` and its options, likewise
/// @param size size of a message in bytes
/// @param messages number of messages in a round, over all queue pairs
/// @param perCount number of messages for each unit of `COUNT`
/// @param metric the measured quantity
record Case(String name, List<String> c, List<String> java, int size, int messages, int perCount, Metric metric) {
    /// Describes what a round gives.
    enum Metric {
        /// Microseconds of an iteration of a ping-pong.
        ITERATION("µs/iteration"),
        /// Average latency in microseconds, from the times of the first and the last message: in Java, reading the
        /// clock for each message takes longer than in C on some machines.
        LATENCY("µs"),
        /// Average bandwidth in MiB/s.
        BANDWIDTH("MiB/s"),
        /// Microseconds of a transfer of a stream: half of a round trip.
        TRANSFER("µs"),
        /// Average bandwidth of a stream in MiB/s.
        STREAM("MiB/s"),
        /// Thousand messages a second.
        RATE("kmsg/s");

        final String unit;

        Metric(String unit) {
            this.unit = unit;
        }
    }

    private static final String CLIENT = "10.9.0.1";
    private static final String SERVER = "10.9.0.2";
    private static final int SMALL = 4096;
    private static final int MEDIUM = 1 << 16;
    private static final int RATE_SIZE = 64;
    private static final int PING_PONG_SIZE = 128;
    private static final int STREAM_SIZE = 64;
    private static final int PING_PONGS = 3000;
    /// With fewer messages the time of a program's start and end hides theirs.
    private static final int MESSAGES_FOR_PROCESSOR_TIME = 1000;
    /// So many that the JVM's own work in the first rounds does not affect the count per message. A multiple of the
    /// lengths of all lists and of all numbers of queue pairs.
    private static final int COUNTED_SMALL_MESSAGES = 32_000;
    private static final int COUNTED_TIMES = 5;

    /// All cases.
    static List<Case> all(List<Integer> sizes) {
        var cases = new ArrayList<Case>();
        cases.add(pingPong("polling"));
        cases.add(pingPong("events", "-e"));
        for (String operation : List.of("send", "write", "read")) {
            for (int size : sizes) {
                cases.add(perf(operation + "-lat", size, latencies(size)));
            }
        }
        cases.add(perf("atomic-lat", Long.BYTES, latencies(Long.BYTES)));
        for (String operation : List.of("send", "write", "read")) {
            for (int size : sizes) {
                cases.add(perf(operation + "-bw", size, messages(size)));
            }
        }
        cases.add(perf("atomic-bw", Long.BYTES, messages(Long.BYTES)));
        for (int list : new int[]{1, 16, 64}) {
            // C wants to signal each list's last message, if there is a list.
            int moderation = list == 1 ? 64 : list;
            cases.add(perf(
                    "write-bw",
                    RATE_SIZE,
                    6400,
                    "-l",
                    String.valueOf(list),
                    "-Q",
                    String.valueOf(moderation)));
        }
        for (int pairs : new int[]{1, 4, 16, 64}) {
            cases.add(perf("write-bw", SMALL, 3200, "-q", String.valueOf(pairs)));
        }
        // C has no events for writes, and its send-lat hangs with them.
        cases.add(perf("send-bw", MEDIUM, messages(MEDIUM), "-e"));
        cases.add(perf("read-bw", MEDIUM, messages(MEDIUM), "-e"));
        cases.add(stream("stream-lat", STREAM_SIZE, "1", "COUNT", latencies(STREAM_SIZE), Metric.TRANSFER));
        cases.add(stream("stream-bw", MEDIUM, "COUNT", "1", 2 * messages(MEDIUM), Metric.STREAM));
        return cases;
    }

    private static int latencies(int size) {
        return size <= SMALL ? 12_000 : size <= MEDIUM ? 300 : 30;
    }

    private static int messages(int size) {
        return size <= SMALL ? 6000 : size <= MEDIUM ? 400 : 30;
    }

    private static Case pingPong(String how, String... options) {
        var common = new ArrayList<>(List.of("-g", "1", "-s", "SIZE", "-n", "COUNT"));
        common.addAll(List.of(options));
        return new Case(
                "rc-pingpong " + how,
                with("ibv_rc_pingpong", common),
                with("rc-pingpong", common),
                PING_PONG_SIZE,
                PING_PONGS,
                1,
                Metric.ITERATION);
    }

    /// @param transfers number of transfers that one end sends before the other
    private static Case stream(
            String test, int size, String transfers, String iterations, int messages, Metric metric) {
        List<String> command = List.of("rstream", "-S", "SIZE", "-C", transfers, "-I", iterations);
        return new Case(test + " " + size, command, command, size, messages, 2, metric);
    }

    /// Returns the options that both programs need to find each other. Streams connect by the connection manager. The
    /// others exchange their numbers over TCP.
    static List<String> address(List<String> command, int port, boolean client) {
        var options = new ArrayList<>(List.of("-p", "" + port));
        if (command.getFirst().equals("rstream")) {
            options.addAll(client ? List.of("-b", CLIENT, "-s", SERVER) : List.of("-b", SERVER));
        } else {
            options.addAll(client ? List.of("-d", "rxe0", SERVER) : List.of("-d", "rxe1"));
        }
        return options;
    }

    private static Case perf(String test, int size, int messages, String... options) {
        int pairs = option(List.of(options), "-q");
        var common = new ArrayList<>(List.of("-x", "1", "-F", "-n", "COUNT"));
        if (!test.startsWith("atomic")) {
            common.addAll(List.of("-s", "SIZE"));
        }
        if (test.endsWith("-bw")) {
            common.add("-N"); // to find a peak takes as long as some thousand messages, in C and in Java
        }
        common.addAll(List.of(options));
        Metric metric = test.endsWith("-lat") ? Metric.LATENCY : size >= SMALL ? Metric.BANDWIDTH : Metric.RATE;
        var java = with("perf", with(test, common));
        java.add("--csv");
        if (metric == Metric.LATENCY) {
            java.add("--average");
        }
        String suffix = options.length == 0 ? "" : " " + String.join(" ", options);
        return new Case(
                test + " " + size + suffix,
                with("ib_" + test.replace('-', '_'), common),
                java,
                size,
                messages,
                pairs,
                metric);
    }

    /// Returns the smallest number of messages of a run that both programs accept. Its cost is the cost of starting.
    int fewest() {
        return Math.max(16, option(c, "-l")) * perCount;
    }

    /// Returns the messages of a run whose instructions are counted.
    int countedMessages() {
        return size <= SMALL ? COUNTED_SMALL_MESSAGES : COUNTED_TIMES * messages;
    }

    /// Returns whether a message's processor time can be measured.
    boolean hasProcessorTime() {
        return messages >= MESSAGES_FOR_PROCESSOR_TIME;
    }

    /// Returns the command in C with another number of messages.
    List<String> c(int number) {
        return filled(c, size, number / perCount);
    }

    /// Returns the command in Java with another number of messages. With `--average`, half of the messages come before
    /// those of the average.
    List<String> java(int number) {
        return java(size, number);
    }

    /// Returns the commands in Java for the warm-up. Short messages come first, because many of them take little time.
    /// Large ones come next, because they take other paths.
    List<List<String>> warmUps() {
        int most = Math.max(messages, messages(SMALL));
        return size > SMALL ? List.of(java(RATE_SIZE, most), java(messages)) : List.of(java(size, most));
    }

    private List<String> java(int bytes, int number) {
        return filled(java, bytes, number / (metric == Metric.LATENCY ? 2 : perCount));
    }

    private static List<String> filled(List<String> command, int size, int count) {
        var all = new ArrayList<>(command);
        Collections.replaceAll(all, "SIZE", String.valueOf(size));
        Collections.replaceAll(all, "COUNT", String.valueOf(count));
        return all;
    }

    /// Returns the value of an option, by default 1.
    private static int option(List<String> options, String name) {
        int place = options.indexOf(name);
        return place < 0 ? 1 : Integer.parseInt(options.get(place + 1));
    }

    private static List<String> with(String first, List<String> rest) {
        var all = new ArrayList<String>();
        all.add(first);
        all.addAll(rest);
        return all;
    }

    /// Reads the figure of a round from either program's output.
    ///
    /// @throws IllegalArgumentException if the output does not contain it
    double read(List<String> output) {
        return switch (metric) {
            case ITERATION -> output.stream()
                    .filter(line -> line.contains(" usec/iter"))
                    .mapToDouble(line -> Double.parseDouble(line.replaceFirst(".*= *([0-9.]+) usec/iter.*", "$1")))
                    .findFirst()
                    .orElseThrow(() -> noFigure(output));
            case LATENCY -> readAverage(output);
            case BANDWIDTH -> number(row(output)[3]);
            case TRANSFER -> transferMicros(output);
            case STREAM -> size * 1e6 / transferMicros(output) / (1 << 20);
            case RATE -> number(row(output)[row(output).length - 1]) * 1e3;
        };
    }

    /// Reads the median latency of single messages, which both programs measure by a clock read for each message.
    ///
    /// @return NaN for other quantities
    double readMedian(List<String> output) {
        return metric == Metric.LATENCY ? number(row(output)[4]) : Double.NaN;
    }

    /// In C, returns the average of the second half of the messages, of which it prints the times with `-U`: their sum
    /// is the difference of two readings of the processor's counter. Without these times, returns the average of all
    /// messages, which leaves out the two longest times.
    private double readAverage(List<String> output) {
        double[] single = output.stream()
                .filter(line -> line.matches("\\d+, \\S+"))
                .mapToDouble(line -> number(line.split(", ")[1]))
                .toArray();
        if (single.length > 0) {
            return Arrays.stream(single).skip(single.length / 2).average().orElseThrow();
        }
        String[] row = row(output);
        return number(row[row.length > 9 ? 9 : 5]);
    }

    /// Returns the last column of the line that rstream prints at the end.
    private static double transferMicros(List<String> output) {
        return output.stream()
                .filter(line -> line.startsWith("custom "))
                .mapToDouble(line -> number(line.substring(line.lastIndexOf(' ') + 1)))
                .findFirst()
                .orElseThrow(() -> noFigure(output));
    }

    private String[] row(List<String> output) {
        return output.stream()
                .map(line -> line.strip().split("[,\\s]+"))
                .filter(words -> words.length > 4 && words[0].equals(String.valueOf(size)))
                .findFirst()
                .orElseThrow(() -> noFigure(output));
    }

    private static IllegalArgumentException noFigure(List<String> output) {
        return new IllegalArgumentException("no figure in: " + String.join(" / ", output));
    }

    /// perftest prints `inf` if it could not measure the rate of the processor's clock: no figure.
    private static double number(String word) {
        return word.matches("-?(inf|nan)") ? Double.NaN : Double.parseDouble(word);
    }
}
