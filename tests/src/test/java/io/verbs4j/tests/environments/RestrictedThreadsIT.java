// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.environments;

import static org.assertj.core.api.Assumptions.assumeThat;

import io.verbs4j.tests.environments.ToolCommands.ToolCommand;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.JavaProcess;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.ResultFile;
import io.verbs4j.tests.support.Rxe;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Runs commands of the tools in threads that lack one capability, or whose calls of one system call are refused, as by
/// the seccomp filter of a container. Commands of the connection manager are missing here: virtual threads read its
/// events, and their carrier threads are not restricted. [DisturbedEnvironmentsIT] runs these commands.
@DeviceTest
@RealKernel("threads that may not do all")
@Needs.OneKernel
class RestrictedThreadsIT {
    private static final ResultFile RESULTS = new ResultFile("restrictions.txt");
    private static final int CAPABILITIES = 41;
    private static final String NET_ADMIN = "12";
    private static final String NET_RAW = "13";
    private static final int AT_A_TIME = 6;
    /// Kinds of which one command stands for all.
    private static final Set<Kind> ONE_STANDS_FOR_ALL = EnumSet.of(Kind.DATA, Kind.PURE);

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
    @Timeout(value = 14, unit = TimeUnit.MINUTES)
    void commandsSayWhatIsTrue(List<String> restrictions) {
        assumeThat(System.getProperty("os.arch")).as("numbers of system calls").isEqualTo("amd64");
        List<ToolCommand> commands = commands();
        Trial trial = run(restrictions, commands);
        for (String restriction : restrictions) {
            for (ToolCommand command : commands) {
                Outcome outcome = outcome(restriction, command.kind());
                trial.judge(command, restriction + " " + command.line(), outcome, facts(outcome, command.kind()));
            }
        }
        RESULTS.add(trial.report());
        RESULTS.write();
        trial.requireNoFault();
    }

    private List<ToolCommand> commands() {
        var kinds = EnumSet.noneOf(Kind.class);
        return ToolCommands.all(Rxe.LEFT, Rxe.RIGHT, "10.9.0.2", folder.toString())
                .stream()
                .filter(command -> command.kind() != Kind.CONNECT)
                .filter(command -> kinds.add(command.kind()) || !ONE_STANDS_FOR_ALL.contains(command.kind()))
                .toList();
    }

    private static Outcome outcome(String restriction, Kind kind) {
        if (!Character.isDigit(restriction.charAt(0))) {
            return Outcome.mayFail("EPERM", Fact.CALL_IS_FORBIDDEN);
        }
        return switch (restriction) {
            case NET_ADMIN -> kind == Kind.LINK ? Outcome.fails("EPERM", Fact.LACKS_NET_ADMIN) : Outcome.WORKS;
            case NET_RAW -> kind == Kind.TRACE ? Outcome.fails("EPERM", Fact.LACKS_NET_RAW) : Outcome.WORKS;
            default -> Outcome.WORKS;
        };
    }

    /// If the kernel refuses a call of a pair's server, the pair's client finds no server.
    private static Set<Fact> facts(Outcome outcome, Kind kind) {
        return kind == Kind.DATA && outcome.causes().contains(Fact.CALL_IS_FORBIDDEN)
                ? EnumSet.of(Fact.CALL_IS_FORBIDDEN, Fact.PEER_IS_SILENT)
                : outcome.causes();
    }

    private static Trial run(List<String> restrictions, List<ToolCommand> commands) {
        var line = new ArrayList<>(JavaProcess.command(RestrictedThreadsProbe.class));
        line.add(restrictions.stream().collect(Collectors.joining(",")));
        commands.forEach(command -> line.add(command.line()));
        return Trial.of(line, "rdma link delete rxe9 2>/dev/null; ip link delete dummy9");
    }
}
