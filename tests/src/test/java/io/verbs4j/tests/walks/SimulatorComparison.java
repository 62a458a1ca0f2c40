// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// Takes a walk on the running kernel's rxe, then on simulated devices that claim to behave like it, and compares everything
/// that a program can see. The model decides on neither: it only says when a step has come to rest.
final class SimulatorComparison implements AutoCloseable {
    /// They depend on how fast either machine is: on when a task runs, and on which timer goes off first.
    private static final List<String> OF_TIME = List.of(
            "ack_deferred", "completer_retry_err", "duplicate_request", "out_of_seq_request", "rcvd_bytes", "rcvd_pkts",
            "rcvd_rnr_err", "rcvd_seq_err", "send_rnr_err", "sent_bytes", "sent_pkts");

    /// Without these, the numbers of packets are the same, too.
    private static final List<String> REPETITIONS =
            List.of("completer_retry_err", "duplicate_request", "rcvd_rnr_err", "rcvd_seq_err");

    private final SimulatedEnds ends = new SimulatedEnds();
    private long steps;

    /// Number of steps that were compared.
    long steps() {
        return steps;
    }

    /// Takes a walk on both.
    ///
    /// @throws WalkRun.Deviation if they differ, or one differs from the model
    void take(Walk walk, Duration limit) {
        var real = new WatchedDevice(new RxeDevice(walk.patient()));
        List<WalkRun.Taken> taken = WalkRun.take(walk, real, Quirk.ofThisKernel(), limit);
        var simulated = new WatchedDevice(ends.open(walk.patient()));
        try {
            WalkRun.take(walk, simulated, Quirk.ofThisKernel(), limit);
        } catch (WalkRun.Deviation e) {
            throw WalkRun.deviation(walk, "the simulator differs from the model, at " + e.getMessage(), e.taken());
        }
        List<String> differences = differences(real, simulated);
        if (!differences.isEmpty()) {
            throw WalkRun.deviation(
                    walk,
                    "the simulator differs from rxe:\n  " + String.join("\n  ", differences), taken);
        }
        steps += taken.size();
    }

    private static List<String> differences(WatchedDevice real, WatchedDevice simulated) {
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
        boolean repeated = repeats(real.counted())
                || repeats(simulated.counted())
                || (!RxeEnd.ONE_PROCESSOR && real.seen().stream().anyMatch(line -> line.contains("state ERR")));
        for (String name : new TreeSet<>(real.counted().keySet())) {
            boolean ofTime = OF_TIME.stream().anyMatch(name::endsWith);
            if (!ofTime || (!repeated && (name.endsWith("_pkts") || name.endsWith("_bytes")))) {
                compare(
                        differences,
                        name + " ",
                        real.counted().get(name).toString(),
                        String.valueOf(simulated.counted().get(name)));
            }
        }
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

    @Override
    public void close() {
        ends.close();
    }
}
