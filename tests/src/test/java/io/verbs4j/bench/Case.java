// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.bench;

import java.util.ArrayList;
import java.util.List;

/// A case of the comparison of C and Java.
///
/// @param group the group of its plot
/// @param name the case's name, without a comma
/// @param c the program of perftest or rdma-core and its options
/// @param java the command of `tools/verbs` and its options
/// @param size size of a message in bytes
/// @param messages number of messages in a round, over all queue pairs
/// @param metric the measured quantity
record Case(String group, String name, List<String> c, List<String> java, int size, int messages, Metric metric) {
    /// Describes what a round gives.
    enum Metric {
        /// Microseconds of an iteration of a ping-pong.
        ITERATION("µs/iteration", false),
        /// Median latency in microseconds.
        LATENCY("µs", false),
        /// Average bandwidth in MiB/s.
        BANDWIDTH("MiB/s", true),
        /// Thousand messages a second.
        RATE("kmsg/s", true);

        final String unit;
        final boolean moreIsBetter;

        Metric(String unit, boolean moreIsBetter) {
            this.unit = unit;
            this.moreIsBetter = moreIsBetter;
        }
    }

    private static final int SMALL = 4096;
    private static final int MEDIUM = 1 << 16;
    private static final int RATE_SIZE = 64;
    private static final int PING_PONG_SIZE = 128;
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
                cases.add(perf("latency", operation + "-lat", size, latencies(size)));
            }
        }
        cases.add(perf("latency", "atomic-lat", Long.BYTES, latencies(Long.BYTES)));
        for (String operation : List.of("send", "write", "read")) {
            for (int size : sizes) {
                cases.add(perf("bandwidth", operation + "-bw", size, messages(size)));
            }
        }
        cases.add(perf("bandwidth", "atomic-bw", Long.BYTES, messages(Long.BYTES)));
        for (int list : new int[]{1, 16, 64}) {
            // C wants to signal each list's last message, if there is a list.
            int moderation = list == 1 ? 64 : list;
            cases.add(perf(
                    "doorbell",
                    "write-bw",
                    RATE_SIZE,
                    6400,
                    "-l",
                    String.valueOf(list),
                    "-Q",
                    String.valueOf(moderation)));
        }
        for (int pairs : new int[]{1, 4, 16, 64}) {
            cases.add(perf("queue pairs", "write-bw", SMALL, 3200, "-q", String.valueOf(pairs)));
        }
        // C has no events for writes, and its send-lat hangs with them.
        cases.add(perf("events", "send-bw", MEDIUM, messages(MEDIUM), "-e"));
        cases.add(perf("events", "read-bw", MEDIUM, messages(MEDIUM), "-e"));
        return cases;
    }

    private static int latencies(int size) {
        return size <= SMALL ? 6000 : size <= MEDIUM ? 150 : 15;
    }

    private static int messages(int size) {
        return size <= SMALL ? 6000 : size <= MEDIUM ? 400 : 30;
    }

    private static Case pingPong(String how, String... options) {
        var common = new ArrayList<>(List.of("-g", "1", "-s", String.valueOf(PING_PONG_SIZE), "-n",
                String.valueOf(PING_PONGS)));
        common.addAll(List.of(options));
        return new Case(
                "ping-pong",
                "rc-pingpong " + how,
                with("ibv_rc_pingpong", common),
                with("rc-pingpong", common),
                PING_PONG_SIZE,
                PING_PONGS,
                Metric.ITERATION);
    }

    private static Case perf(String group, String test, int size, int messages, String... options) {
        int pairs = 1;
        for (int i = 0; i + 1 < options.length; i++) {
            pairs = options[i].equals("-q") ? Integer.parseInt(options[i + 1]) : pairs;
        }
        var common = new ArrayList<>(List.of("-x", "1", "-F", "-n", String.valueOf(messages / pairs)));
        if (!test.startsWith("atomic")) {
            common.addAll(List.of("-s", String.valueOf(size)));
        }
        if (test.endsWith("-bw")) {
            common.add("-N"); // to find a peak takes as long as some thousand messages, in C and in Java
        }
        common.addAll(List.of(options));
        Metric metric = test.endsWith("-lat") ? Metric.LATENCY : size >= SMALL ? Metric.BANDWIDTH : Metric.RATE;
        var java = with("perf", with(test, common));
        java.add("--csv");
        String suffix = options.length == 0 ? "" : " " + String.join(" ", options);
        return new Case(
                group,
                test + " " + size + suffix,
                with("ib_" + test.replace('-', '_'), common),
                java,
                size,
                messages,
                metric);
    }

    /// As many messages as the smallest run has that both programs take: what it costs is the cost of starting.
    int fewest() {
        return Math.max(8, option("-l", 1)) * option("-q", 1);
    }

    /// Returns the messages of a run whose instructions are counted.
    int countedMessages() {
        return size <= SMALL ? COUNTED_SMALL_MESSAGES : COUNTED_TIMES * messages;
    }

    /// Returns whether a message's processor time can be measured.
    boolean hasProcessorTime() {
        return messages >= MESSAGES_FOR_PROCESSOR_TIME;
    }

    /// A command of this case with another number of messages.
    List<String> withMessages(int number, List<String> command) {
        var all = new ArrayList<>(command);
        all.set(all.indexOf("-n") + 1, String.valueOf(number / option("-q", 1)));
        return all;
    }

    private int option(String name, int otherwise) {
        int place = java.indexOf(name);
        return place < 0 ? otherwise : Integer.parseInt(java.get(place + 1));
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
        if (metric == Metric.ITERATION) {
            for (String line : output) {
                int unit = line.indexOf(" usec/iter");
                if (unit > 0) {
                    return Double.parseDouble(line.substring(line.lastIndexOf('=', unit) + 1, unit).strip());
                }
            }
        }
        for (String line : output) {
            String[] words = line.strip().split("[,\\s]+");
            if (words.length > 4 && words[0].equals(String.valueOf(size))) {
                return switch (metric) {
                    case LATENCY -> number(words[4]);
                    case BANDWIDTH -> number(words[3]);
                    default -> number(words[words.length - 1]) * 1e3;
                };
            }
        }
        throw new IllegalArgumentException("no figure in: " + String.join(" / ", output));
    }

    /// perftest prints `inf` if it could not measure the rate of the processor's clock: no figure.
    private static double number(String word) {
        return word.matches("-?(inf|nan)") ? Double.NaN : Double.parseDouble(word);
    }
}
