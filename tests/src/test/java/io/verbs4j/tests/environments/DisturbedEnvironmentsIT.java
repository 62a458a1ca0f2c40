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
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Runs each command of the tools in each [Environment], one Java process per environment.
///
/// - [Environment] is the table: how each environment is made, which kinds of commands fail there, by which error
///   numbers, and which facts are the causes. It states what Linux does, not what verbs4j prints. [Fact] has the words
///   by which an error claims a fact.
/// - [Judge] compares the exit code, the number of lines of the error, the error numbers and the causes with the table,
///   and requires valid JSON. An error may name a cause that is not true only if it calls it possible.
/// - A row that is wrong for a kernel is a fault, too: correct the table by the kernel's sources, never by the output.
///
/// `environments.txt` in the results folder has each command with its verdict and output. The methods are groups of
/// environments, so that one group can be run by its name.
@DeviceTest
@RealKernel("processes whose environment is disturbed")
@Needs.OneKernel
class DisturbedEnvironmentsIT {
    private static final ResultFile RESULTS = new ResultFile("environments.txt");

    /// A test of some environments.
    @ParameterizedTest(name = "{0}")
    @Needs.LongRun("a Java process runs all commands in each")
    @Timeout(value = 14, unit = TimeUnit.MINUTES)
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    private @interface AllCommands {}

    @TempDir private Path folder;

    /// The part of the default run.
    @Test
    void devicesWithoutSysfs() throws IOException {
        judge(Environment.NO_SYSFS, commands(Environment.NO_SYSFS).stream()
                .filter(command -> command.line().equals("devices --json"))
                .toList());
    }

    /// One command of each kind that cannot succeed. The doctor's findings as text are judged.
    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"NO_SYSFS", "ORDINARY_USER_WITHOUT_NODES"})
    @Needs.LongRun("a process for each command")
    void frequentOnes(Environment environment) throws IOException {
        var kinds = EnumSet.noneOf(Kind.class);
        judge(environment, commands(environment).stream()
                .filter(command -> !environment.outcome(command.kind()).maySucceed()
                        && !command.line().equals("doctor --json") && kinds.add(command.kind()))
                .toList());
    }

    @AllCommands
    @EnumSource(to = "NO_DEV")
    void files(Environment environment) throws IOException {
        judge(environment, commands(environment));
    }

    @AllCommands
    @EnumSource(from = "NO_NODE_OF_THE_CONNECTION_MANAGER", to = "FULL_FOLDER")
    void nodesAndDisks(Environment environment) throws IOException {
        judge(environment, commands(environment));
    }

    @AllCommands
    @EnumSource(from = "ORDINARY_USER", to = "USER_NAMESPACE")
    void users(Environment environment) throws IOException {
        judge(environment, commands(environment));
    }

    @AllCommands
    @EnumSource(from = "NO_LOCKED_MEMORY", to = "OTHER_LIMITS")
    void limits(Environment environment) throws IOException {
        judge(environment, commands(environment));
    }

    @AllCommands
    @EnumSource(from = "NO_CONTEXTS", to = "OTHER_NAMESPACES")
    void groupsAndNamespaces(Environment environment) throws IOException {
        judge(environment, commands(environment));
    }

    @AllCommands
    @EnumSource(from = "IPV6_ONLY")
    void networks(Environment environment) throws IOException {
        judge(environment, commands(environment));
    }

    private List<ToolCommand> commands(Environment environment) {
        String device = environment.hasItsOwnDevice() ? "rxe8" : Rxe.LEFT;
        String peer = environment.hasItsOwnDevice() ? "rxe8" : Rxe.RIGHT;
        String address = !environment.hasItsOwnDevice()
                ? "10.9.0.2"
                : environment == Environment.IPV6_ONLY ? "fd00:8::1" : "10.9.88.1";
        // Those that need nothing of the kernel take a third of the time.
        boolean pure = environment == Environment.PLAIN || environment.outcome(Kind.PURE).mayFail();
        return Stream.concat(
                ToolCommands.all(device, peer, address, folder.toString())
                        .stream()
                        .filter(command -> pure || command.kind() != Kind.PURE)
                        .filter(command -> environment != Environment.INTERFACE_IS_DOWN || !waitsIndefinitely(command)),
                ToolCommands.waiting(device).filter(command -> !environment.outcome(command.kind()).maySucceed()))
                .toList();
    }

    /// Returns whether the command has no time limit for a connect, as the C program of its name. While an interface is
    /// down, the kernel reports no end of a connect.
    private static boolean waitsIndefinitely(ToolCommand command) {
        return Stream.of("ucmatose", "udaddy", "cmtime").anyMatch(command.line()::contains);
    }

    private void judge(Environment environment, List<ToolCommand> commands) throws IOException {
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
