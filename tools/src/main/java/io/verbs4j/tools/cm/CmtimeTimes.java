// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/// Times of the steps of connecting and disconnecting, for each connection and in total. Each connection's times are
/// written by one thread at a time.
final class CmtimeTimes {
    /// The measured steps, with the names of the C program.
    enum Step {
        CREATE_ID("create id"),
        BIND("bind addr"),
        RESOLVE_ADDRESS("resolve addr"),
        RESOLVE_ROUTE("resolve route"),
        CREATE_QP("create qp"),
        CONNECT("connect"),
        DISCONNECT("disconnect"),
        DESTROY("destroy");

        private final String text;

        Step(String text) {
            this.text = text;
        }
    }

    private static final double NANOS_PER_MICRO = 1e3;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final String HEADER = "step              total ms     max ms     min us  us / conn";

    private final int connections;
    /// Start and end of each connection's step.
    private final Map<Step, long[][]> each = new EnumMap<>(Step.class);
    /// Start and end of a step of all connections.
    private final Map<Step, long[]> all = new EnumMap<>(Step.class);

    CmtimeTimes(int connections) {
        this.connections = connections;
    }

    private long[] all(Step step) {
        return all.computeIfAbsent(step, _ -> new long[2]);
    }

    private long[][] each(Step step) {
        return each.computeIfAbsent(step, _ -> new long[connections][2]);
    }

    void begin(Step step) {
        all(step)[0] = System.nanoTime();
    }

    void end(Step step) {
        all(step)[1] = System.nanoTime();
    }

    void begin(Step step, int connection) {
        each(step)[connection][0] = System.nanoTime();
    }

    void end(Step step, int connection) {
        each(step)[connection][1] = System.nanoTime();
    }

    /// Prints the table of the C program.
    void print(Console console, boolean bound) {
        console.print(HEADER);
        for (Step step : Step.values()) {
            if (step == Step.BIND && !bound) {
                continue;
            }
            long most = 0;
            long least = Long.MAX_VALUE;
            for (long[] times : each(step)) {
                most = Math.max(most, times[1] - times[0]);
                least = Math.min(least, times[1] - times[0]);
            }
            long[] total = all(step);
            double nanos = total[1] - total[0];
            console.print(String.format(
                    Locale.ROOT,
                    "%-13s: %11.2f%11.2f%11.2f%11.2f",
                    step.text,
                    nanos / NANOS_PER_MILLI,
                    most / NANOS_PER_MILLI,
                    least / NANOS_PER_MICRO,
                    nanos / NANOS_PER_MICRO / connections));
        }
    }
}
