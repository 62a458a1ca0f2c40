// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.environments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.verbs4j.tests.environments.ToolCommands.ToolCommand;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.JavaProcess;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.Repository;
import io.verbs4j.tests.support.ResultFile;
import io.verbs4j.tests.support.Rxe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Commands of the tools while each system call is refused, as by the seccomp filter of a container, and without each
/// capability.
@DeviceTest
@RealKernel("threads that may not do all")
@Needs.OneKernel
class RestrictedThreadsIT {
    private static final Duration LIMIT = Duration.ofSeconds(220);
    private static final ResultFile RESULTS = new ResultFile("restrictions.txt");
    private static final int CAPABILITIES = 41;
    private static final String NET_ADMIN = "12";
    private static final String NET_RAW = "13";
    private static final int AT_A_TIME = 6;
    /// Kinds of which one or two commands stand for all.
    private static final Set<Kind> ONE_STANDS_FOR_ALL = EnumSet.of(Kind.DATA, Kind.CONNECT, Kind.PURE);

    @TempDir private Path folder;

    static Stream<List<String>> restrictions() {
        List<String> all = Stream.concat(
                IntStream.range(0, CAPABILITIES).mapToObj(String::valueOf),
                Arrays.stream(RefusedCall.values()).map(Enum::name))
                .toList();
        return IntStream.range(0, Math.ceilDiv(all.size(), AT_A_TIME))
                .mapToObj(i -> all.subList(i * AT_A_TIME, Math.min(all.size(), (i + 1) * AT_A_TIME)));
    }

    @ParameterizedTest
    @MethodSource("restrictions")
    @Needs.LongRun("a Java process runs many commands in each")
    @EnabledIfEnvironmentVariable(named = "VERBS4J_ENVIRONMENTS", matches = "all",
            disabledReason = "not all answers have been compared with a kernel yet")
    void commandsSayWhatIsTrue(List<String> restrictions) throws IOException {
        assumeThat(System.getProperty("os.arch")).as("numbers of system calls").isEqualTo("amd64");
        Files.copy(Repository.file("tests/src/test/resources/io/verbs4j/tests/simulator/simulated.pcap"),
                folder.resolve("made.pcap"));
        List<ToolCommand> commands = commands();
        List<Finished> finished = run(restrictions, commands);
        var report = new StringBuilder();
        int wrong = 0;
        for (String restriction : restrictions) {
            for (ToolCommand command : commands) {
                String line = restriction + " " + command.line();
                Optional<Finished> found = finished.stream().filter(each -> each.command().equals(line)).findFirst();
                Outcome outcome = outcome(restriction, command.kind());
                List<String> faults = found.map(each -> Judge.faults(command.kind(), command.isTwo(), command.isJson(),
                        each, outcome, outcome.causes()))
                        .orElse(List.of("it did not end"));
                wrong += faults.isEmpty() ? 0 : 1;
                report.append(faults.isEmpty() ? "ok " : "FAULT " + faults + " ")
                        .append(found.map(Finished::toString).orElse(line + "\n"));
            }
        }
        RESULTS.add(report.toString());
        RESULTS.write();
        assertThat(wrong).as("%s:%n%s", restrictions, report).isZero();
    }

    private List<ToolCommand> commands() {
        var kinds = EnumSet.noneOf(Kind.class);
        return ToolCommands.all(Rxe.LEFT, Rxe.RIGHT, "10.9.0.2", folder.toString())
                .stream()
                .filter(command -> kinds.add(command.kind()) || !ONE_STANDS_FOR_ALL.contains(command.kind()))
                .toList();
    }

    private static Outcome outcome(String restriction, Kind kind) {
        if (!Character.isDigit(restriction.charAt(0))) {
            return Outcome.mayFail("EPERM", Fact.CALL_IS_FORBIDDEN);
        }
        return switch (restriction) {
            case NET_ADMIN -> kind == Kind.LINK ? Outcome.fails("EPERM", Fact.LACKS_NET_ADMIN) : Outcome.WORKS;
            case NET_RAW -> kind == Kind.CAPTURE ? Outcome.fails("EPERM", Fact.LACKS_NET_RAW) : Outcome.WORKS;
            default -> Outcome.WORKS;
        };
    }

    private static List<Finished> run(List<String> restrictions, List<ToolCommand> commands) {
        var line = new ArrayList<>(JavaProcess.command(RestrictedThreadsProbe.class));
        line.add(restrictions.stream().collect(Collectors.joining(",")));
        commands.forEach(command -> line.add(command.line()));
        shell("ip link add dummy9 type dummy; ip link set dummy9 up");
        try {
            var result = ExternalProcess.of(line).run(LIMIT);
            List<Finished> finished = result.output().lines().map(Finished::parse).flatMap(Optional::stream).toList();
            assertThat(finished).as(result::toString).isNotEmpty();
            return finished;
        } finally {
            shell("rdma link delete rxe9 2>/dev/null; ip link delete dummy9");
        }
    }

    private static void shell(String line) {
        ExternalProcess.of("sh", "-c", line).run(LIMIT);
    }
}
