// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.ExternalProcess.Running;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.Repository;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tests.support.ToolRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Sends signals to every long-running command. SIGTERM and SIGINT end it with the matching exit code and without
/// remaining objects. After SIGSTOP and SIGCONT it continues. The default run tests a few commands, because a program
/// takes a guest long to start; the long form (system property `soak.minutes`) tests all.
@DeviceTest
@RealKernel("processes, and devices that they share")
@Timeout(value = 900, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Needs.OneKernel
class SignalledCommandsIT {
    private static final Duration LIMIT = Duration.ofSeconds(300);

    private static final boolean ALL = Integer.getInteger("soak.minutes", 0) > 0;

    /// Waiting servers and watchers, with ports of their own.
    private static final List<String> WAITING = List.of(
            "rcopy -p 19712", "capture -i rxe1", "srq-pingpong -d rxe1 -p 19704", "cmtime -b 10.9.0.2 -p 19713",
            "rc-pingpong -d rxe1 -p 19701", "uc-pingpong -d rxe1 -p 19702", "ud-pingpong -d rxe1 -p 19703",
            "perf send-lat -d rxe1 -p 19705", "perf read-bw -d rxe1 -p 19706",
            "rping -s -a 10.9.0.2 -p 19707", "ucmatose -b 10.9.0.2 -p 19708", "udaddy -b 10.9.0.2 --port 19709",
            "rstream -b 10.9.0.2 -p 19710", "riostream -b 10.9.0.2 -p 19711",
            "asyncwatch -d rxe1", "counters --watch 1");

    /// Servers, each with its client.
    private static final List<String> PAIRS = List.of(
            "rping -s -a 10.9.0.2 -p 19723 -C 1000 | rping -c -I 10.9.0.1 -a 10.9.0.2 -p 19723 -C 1000 -V",
            "rc-pingpong -d rxe1 -p 19721 -n 3000 -e | rc-pingpong -d rxe0 -p 19721 -n 3000 -e 10.9.0.2",
            "perf send-lat -d rxe1 -p 19722 -n 3000 | perf send-lat -d rxe0 -p 19722 -n 3000 10.9.0.2",
            "rstream -b 10.9.0.2 -p 19724 -S 4096 -C 3000 -T v | rstream -b 10.9.0.1 -s 10.9.0.2 -p 19724 -S 4096 -C 3000 -T v");

    /// Limits how many run at a time: the more there are, the longer a guest takes to start one.
    private static final int AT_A_TIME = 4;

    private static Running verbs(String arguments) {
        var command = new ArrayList<>(List.of(Repository.tool("verbs").toString()));
        command.addAll(List.of(arguments.split(" ")));
        return ExternalProcess.of(command).start();
    }

    private static String objectsOf(Running program) {
        return ToolRun.of("resources", "--pid", Long.toString(program.pid()), "--json")
                .requireSuccess()
                .output()
                .strip();
    }

    /// Returns whether a program does what it is there for: it has objects, or has printed something.
    private static boolean isAtWork(String command, Running program) {
        return switch (command.split(" ")[0]) {
            case "counters", "capture", "asyncwatch" -> !program.output().isBlank();
            default -> !objectsOf(program).equals("[]");
        };
    }

    @ParameterizedTest
    @CsvSource({"TERM,143", "INT,130"})
    @Needs.LongRun("programs by the dozen")
    void endWhatWaits(String signal, int exitCode) {
        for (int first = 0; first < (ALL ? WAITING.size() : AT_A_TIME); first += AT_A_TIME) {
            List<String> commands = WAITING.subList(first, Math.min(first + AT_A_TIME, WAITING.size()));
            Map<String, Running> programs = new LinkedHashMap<>();
            try {
                commands.forEach(command -> programs.put(command, verbs(command)));
                programs.forEach((command, program) -> Eventually.until(
                        LIMIT, () -> isAtWork(command, program), () -> command + ": " + program.output()));
                for (String each : List.of("STOP", "CONT", signal)) {
                    programs.values().forEach(program -> program.signal(each));
                }
                programs.forEach((command, program) -> {
                    var result = program.await(LIMIT);
                    assertThat(result.exitCode()).as(result::toString).isEqualTo(exitCode);
                    assertThat(result.output()).doesNotContain("Exception", "\tat ");
                    Eventually.until(LIMIT, () -> objectsOf(program).equals("[]"), () -> command + " left "
                            + objectsOf(program));
                });
            } finally {
                programs.values().forEach(Running::close);
            }
        }
    }

    private static Stream<String> pairs() {
        return PAIRS.stream().limit(ALL ? PAIRS.size() : 1);
    }

    /// Client and server, which are stopped in turn in the middle, for longer than a few retries take.
    @ParameterizedTest
    @MethodSource("pairs")
    @Needs.LongRun("both ends are stopped in turn")
    void whatIsStoppedGoesOnWhereItWas(String pair) throws Exception {
        String[] ends = pair.split(" \\| ");
        try (var server = verbs(ends[0])) {
            Eventually.until(LIMIT, () -> isAtWork(ends[0], server), server::output);
            long before = Rxe.sentPackets();
            try (var client = verbs(ends[1])) {
                Eventually.until(LIMIT, () -> Rxe.sentPackets() > before + 100, client::output);
                for (Running end : Arrays.asList(client, server)) {
                    end.signal("STOP");
                    Thread.sleep(1500);
                    end.signal("CONT");
                }
                client.await(LIMIT).requireSuccess();
                server.await(LIMIT).requireSuccess();
            }
        }
    }
}
