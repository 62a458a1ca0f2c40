// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.environments;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Each command of the tools in each [Environment]: one line of error, a cause that is true there, the exit code, and
/// JSON that is JSON.
@DeviceTest
@RealKernel("processes whose environment is disturbed")
@Needs.OneKernel
class DisturbedEnvironmentsIT {
    private static final Duration LIMIT = Duration.ofSeconds(220);

    private static final ResultFile RESULTS = new ResultFile("environments.txt");

    @TempDir private Path folder;

    @ParameterizedTest
    @EnumSource
    @Needs.LongRun("a Java process runs all commands in each")
    @EnabledIfEnvironmentVariable(named = "VERBS4J_ENVIRONMENTS", matches = "all",
            disabledReason = "not all rows of the table have been compared with a kernel yet")
    void commandsSayWhatIsTrue(Environment environment) throws IOException {
        String device = environment.hasItsOwnDevice() ? "rxe8" : Rxe.LEFT;
        String peer = environment.hasItsOwnDevice() ? "rxe8" : Rxe.RIGHT;
        String address = !environment.hasItsOwnDevice()
                ? "10.9.0.2"
                : environment == Environment.IPV6_ONLY ? "fd00:8::1" : "10.9.88.1";
        List<ToolCommand> commands = Stream.concat(
                ToolCommands.all(device, peer, address, folder.toString()).stream(),
                ToolCommands.waiting(device).filter(command -> !environment.outcome(command.kind()).maySucceed()))
                .toList();
        Files.copy(Repository.file("tests/src/test/resources/io/verbs4j/tests/simulator/simulated.pcap"),
                folder.resolve("made.pcap"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        List<Finished> finished = run(environment, commands);
        var report = new StringBuilder();
        int wrong = 0;
        for (int i = 0; i < commands.size(); i++) {
            ToolCommand command = commands.get(i);
            String line = command.line();
            Optional<Finished> found = finished.stream().filter(each -> each.command().equals(line)).findFirst();
            List<String> faults = found
                    .map(each -> Judge.faults(command.kind(), command.isTwo(), command.isJson(), each,
                            environment.outcome(command.kind()), environment.facts()))
                    .orElse(List.of("it did not end"));
            wrong += faults.isEmpty() ? 0 : 1;
            report.append(faults.isEmpty() ? "ok " : "FAULT " + faults + " ")
                    .append(found.map(Finished::toString).orElse(line + "\n"));
        }
        RESULTS.add(environment + " (" + commands.size() + " commands)\n" + report);
        RESULTS.write();
        assertThat(wrong).as("%s:%n%s", environment, report).isZero();
    }

    private List<Finished> run(Environment environment, List<ToolCommand> commands) {
        var line = new ArrayList<>(List.of(
                "unshare", "--mount", "--propagation", "private", "env", "FOLDER=" + folder, "sh", "-ec",
                environment.outside(), "sh"));
        line.addAll(JavaProcess.command(EnvironmentProbe.class));
        line.add(environment.inside());
        commands.forEach(command -> line.add(command.line()));
        shell("ip link add dummy9 type dummy; ip link set dummy9 up");
        try {
            var result = ExternalProcess.of(line).run(LIMIT);
            List<Finished> finished = result.output().lines().map(Finished::parse).flatMap(Optional::stream).toList();
            assertThat(finished).as(result::toString).isNotEmpty();
            return finished;
        } finally {
            shell("for d in rxe9 rxe8 odd; do rdma link delete $d; done 2>/dev/null;"
                    + " for i in dummy8 odd8 dummy9; do ip link delete $i; done 2>/dev/null;"
                    + " ip netns delete blind 2>/dev/null && rdma system set netns shared; true");
        }
    }

    private static void shell(String line) {
        ExternalProcess.of("sh", "-c", line).run(LIMIT);
    }
}
