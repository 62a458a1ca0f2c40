// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/// Executes a walk on the running kernel's rxe, then on simulated devices with the same profile, and compares
/// everything that a program can observe. The model only determines when a step has finished.
final class SimulatorComparison implements WalkSearch.Taker<Walk> {
    /// They depend on how fast either machine is: on when a task runs, and on which timer goes off first.
    private static final List<String> OF_TIME = List.of(
            "ack_deferred", "completer_retry_err", "duplicate_request", "out_of_seq_request", "rcvd_bytes", "rcvd_pkts",
            "rcvd_rnr_err", "rcvd_seq_err", "send_rnr_err", "sent_bytes", "sent_pkts");

    /// Without these, the numbers of packets are the same, too.
    private static final List<String> REPETITIONS =
            List.of("completer_retry_err", "duplicate_request", "rcvd_rnr_err", "rcvd_seq_err");

    private final DevicePair pair;
    private final PairCounters counters;
    private final LongAdder steps;

    /// @param pair devices for exclusive use
    /// @param steps counts the compared steps
    SimulatorComparison(DevicePair pair, LongAdder steps) {
        this.pair = pair;
        this.counters = new PairCounters(pair);
        this.steps = steps;
    }

    /// Executes a walk on both.
    ///
    /// @throws WalkRun.Deviation if they differ, or one differs from the model
    @Override
    public void take(Walk walk, Duration limit) {
        WatchedDevice real;
        try {
            real = new WatchedDevice(new RxeDevice(walk.patient(), pair));
        } catch (RuntimeException | Error e) {
            throw WalkRun.deviation(walk, "the start: " + e, List.of());
        }
        List<WalkRun.Taken> taken;
        Map<String, Long> counted;
        try {
            taken = WalkRun.take(walk, real, Quirk.ofThisKernel(), limit);
        } finally {
            counted = counters.sinceLastTime(); // those of a walk that failed are not the next one's
        }
        var ends = new SimulatedEnds();
        var simulated = new WatchedDevice(ends.open(walk.patient()));
        try {
            WalkRun.take(walk, simulated, Quirk.ofThisKernel(), limit);
        } catch (WalkRun.Deviation e) {
            throw WalkRun.deviation(walk, "the simulator differs from the model, at " + e.getMessage(), e.taken());
        }
        List<String> differences = differences(real, counted, simulated, new PairCounters(ends.pair()).total());
        if (!differences.isEmpty()) {
            throw WalkRun.deviation(
                    walk,
                    "the simulator differs from rxe:\n  " + String.join("\n  ", differences), taken);
        }
        steps.add(taken.size());
    }

    /// Those of the simulator: rxe's are to be the same.
    @Override
    public String packets(Walk walk) {
        return SimulatedEnds.packets(walk);
    }

    private static List<String> differences(
            WatchedDevice real, Map<String, Long> counted, WatchedDevice simulated, Map<String, Long> expected) {
        var differences = new ArrayList<String>();
        for (int i = 0; i < Math.max(real.seen().size(), simulated.seen().size()); i++) {
            compare(differences, "", line(real.seen(), i), line(simulated.seen(), i));
        }
        for (Side side : Side.values()) {
            compare(
                    differences,
                    "events, " + side.text() + ": ",
                    real.events(side).toString(),
                    simulated.events(side).toString());
        }
        boolean repeated = repeats(counted)
                || repeats(expected)
                || (!RxeEnd.ONE_PROCESSOR && real.seen().stream().anyMatch(line -> line.contains("state ERR")));
        counted.forEach((name, value) -> {
            boolean ofTime = OF_TIME.stream().anyMatch(name::endsWith);
            if (!ofTime || (!repeated && (name.endsWith("_pkts") || name.endsWith("_bytes")))) {
                compare(differences, name + " ", value.toString(), String.valueOf(expected.get(name)));
            }
        });
        return differences.size() > 12 ? differences.subList(0, 12) : differences;
    }

    private static boolean repeats(Map<String, Long> counted) {
        return counted.entrySet()
                .stream()
                .anyMatch(
                        entry -> entry.getValue() != 0 && REPETITIONS.stream().anyMatch(entry.getKey()::endsWith));
    }

    private static String line(List<String> lines, int number) {
        return number < lines.size() ? lines.get(number) : "nothing";
    }

    private static void compare(List<String> differences, String what, String real, String simulated) {
        if (!real.equals(simulated)) {
            differences.add(what + "rxe:       " + real);
            differences.add(what + "simulator: " + simulated);
        }
    }
}
