// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Devices;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.tests.support.JavaProcess;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.OpenFiles;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tests.support.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A process that uses verbs and starts other programs.
@DeviceTest
@RealKernel("file descriptors, and processes that inherit them")
@Needs.OneKernel
class ChildProcessesIT {
    /// `O_CLOEXEC`, in octal as `/proc/PID/fdinfo` has it.
    private static final int CLOSE_ON_EXEC = 02000000;

    @Test
    void doNotDisturbTraffic() throws Exception {
        try (var context = Rxe.open()) {
            var outcome = ChildrenUnderTraffic.run(context, 8);
            assertThat(outcome.roundsInThatTime()).as("traffic while children start and end").isPositive();
            assertThat(outcome.roundsAfter()).isEqualTo(20);
        }
    }

    /// Java's default, `posix_spawn` of a helper ([#doNotDisturbTraffic()]), shares the parent's memory until the child
    /// executes another program, and so does `vfork`. `fork` is the dangerous one: parent and child share pages until
    /// one of them writes.
    @ParameterizedTest
    @ValueSource(strings = {"VFORK", "FORK"})
    @Needs.LongRun("each starts a Java process with eight children")
    @Covers({"ibv_fork_init", "ibv_is_fork_initialized"})
    void doNotDisturbTrafficHoweverTheyAreMade(String mechanism) {
        var command = new ArrayList<>(
                JavaProcess.command(ForkProbe.class));
        command.add(1, "-Djdk.lang.Process.launchMechanism=" + mechanism);
        assertThat(Answers.of(ExternalProcess.of(command).run(Duration.ofSeconds(100))).to("traffic"))
                .isEqualTo("8 children");
    }

    /// This makes `fork` harmless. libibverbs then answers `IBV_FORK_UNNEEDED`.
    @Test
    @Scenario("test_fork.ForkAPITest.test_is_fork_initialized")
    @Covers({"ibv_fork_init", "ibv_is_fork_initialized"})
    void getCopiesOfRegisteredMemoryFromTheKernel() {
        assertThat(Devices.copiesMemoryOnFork()).isTrue();
    }

    @Test
    void doNotInheritDescriptors() throws Exception {
        List<String> ofOthers = descriptors(); // the JDK's own events
        try (var pair = ConnectedPair.onTheWire().withChannels().connect()) {
            // A thread that waits has made the descriptor by which it is woken up.
            var waiting =
                    InThread.PLATFORM.start(() -> pair.left().context().asyncEvents().take(Duration.ofSeconds(3)));
            List<String> open = descriptors();
            open.removeAll(ofOthers);
            assertThat(open).as("nodes, events and channels of two contexts").hasSizeGreaterThanOrEqualTo(6);
            assertThat(open).allMatch(ChildProcessesIT::isClosedOnExec);
            waiting.interrupt();
            waiting.failure();
        }
    }

    @Test
    void seeNeitherDescriptorsNorRings() {
        try (var pair = ConnectedPair.onTheWire().withChannels().connect()) {
            String child = ExternalProcess.of("sh", "-c", "ls -l /proc/self/fd; cat /proc/self/maps")
                    .run(Duration.ofSeconds(20))
                    .requireSuccess()
                    .output();
            assertThat(child).contains("/proc/").doesNotContain("uverbs", "infinibandevent");
            assertThat(pair.left().queuePair().isClosed()).isFalse();
        }
    }

    private static List<String> descriptors() {
        var numbers = new ArrayList<String>();
        OpenFiles.targets().forEach((number, target) -> {
            if (target.contains("uverbs") || target.contains("infinibandevent") || target.contains("eventfd")) {
                numbers.add(number);
            }
        });
        return numbers;
    }

    private static boolean isClosedOnExec(String descriptor) {
        try {
            return Files.readAllLines(Path.of("/proc/self/fdinfo", descriptor))
                    .stream()
                    .filter(line -> line.startsWith("flags:"))
                    .mapToInt(line -> Integer.parseInt(line.substring("flags:".length()).strip(), 8))
                    .allMatch(flags -> (flags & CLOSE_ON_EXEC) != 0);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
