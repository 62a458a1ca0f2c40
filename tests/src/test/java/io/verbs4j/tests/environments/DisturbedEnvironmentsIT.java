// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.environments;

import io.verbs4j.tests.environments.ToolCommands.ToolCommand;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.JavaProcess;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.ResultFile;
import io.verbs4j.tests.support.Rxe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Runs each command of the tools in each [Environment]. An error has one line and a cause that is true there; the exit
/// code is right, and JSON is valid.
@DeviceTest
@RealKernel("processes whose environment is disturbed")
@Needs.OneKernel
class DisturbedEnvironmentsIT {
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
        Trial.prepare(folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Trial trial = run(environment, commands);
        for (ToolCommand command : commands) {
            trial.judge(command, command.line(), environment.outcome(command.kind()), environment.facts());
        }
        RESULTS.add(environment + " (" + commands.size() + " commands)\n" + trial.report());
        RESULTS.write();
        trial.requireNoFault();
    }

    private Trial run(Environment environment, List<ToolCommand> commands) {
        var line = new ArrayList<>(List.of(
                "unshare", "--mount", "--propagation", "private", "env", "FOLDER=" + folder, "sh", "-ec",
                environment.outside(), "sh"));
        line.addAll(JavaProcess.command(EnvironmentProbe.class));
        line.add(environment.inside());
        commands.forEach(command -> line.add(command.line()));
        return Trial.of(
                line,
                "for d in rxe9 rxe8 odd; do rdma link delete $d; done 2>/dev/null;"
                        + " for i in dummy8 odd8 dummy9; do ip link delete $i; done 2>/dev/null;"
                        + " ip netns delete blind 2>/dev/null && rdma system set netns shared; true");
    }
}
