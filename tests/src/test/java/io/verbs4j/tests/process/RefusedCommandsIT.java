// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.JavaProcess;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tests.support.ToolRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests the commands' reports about a device that does not exist, has no device file, or cannot be opened because only
/// root may.
@DeviceTest
@RealKernel("device files, and users who may not open them")
@Needs.OneKernel
@Needs.LongRun("two processes that run a dozen commands each")
class RefusedCommandsIT {
    private static final String COUNTERS = "counters -d rxe0";
    private static final String RESOURCES = "resources -d rxe0";
    private static final String DOCTOR = "doctor -q -d rxe0";
    private static final String CAPTURE = "capture -i rxe0 -c 1";
    private static final List<String> OPENING = List.of(
            "devinfo -d rxe0", "gids -d rxe0", "asyncwatch -d rxe0", "rc-pingpong -d rxe0", "perf send-lat -d rxe0");

    @SuppressWarnings("NullAway.Init") // by run()
    private static Answers ordinaryUser;

    @SuppressWarnings("NullAway.Init") // by run()
    private static Answers withoutNode;

    /// Both processes at a time, because a Java process takes its time to start.
    @BeforeAll
    static void run() throws IOException {
        Path node = Rxe.node();
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(node);
        Files.setPosixFilePermissions(node, PosixFilePermissions.fromString("rw-------"));
        var hiding = new ArrayList<>(List.of(
                "unshare", "--mount", "--propagation", "private", "sh", "-ec",
                "mount -t tmpfs none /dev/infiniband; exec \"$@\"", "sh"));
        hiding.addAll(probe(List.of(COUNTERS, DOCTOR)));
        try (
                var blind = ExternalProcess.of(hiding).start();
                var user = ExternalProcess.ofOrdinaryUser(probe(List.of(COUNTERS, RESOURCES, DOCTOR, CAPTURE)))
                        .start()) {
            ordinaryUser = answers(user);
            withoutNode = answers(blind);
        } finally {
            Files.setPosixFilePermissions(node, permissions);
        }
    }

    private static List<String> probe(List<String> more) {
        var command = new ArrayList<>(JavaProcess.command(CommandsProbe.class));
        command.addAll(OPENING);
        command.addAll(more);
        return command;
    }

    private static Answers answers(ExternalProcess.Running process) {
        return Answers.of(process.await(Duration.ofSeconds(120)));
    }

    @Test
    void anOrdinaryUserReadsWhichNodeMayNotBeOpenedAndWhatToDo() {
        for (String command : OPENING) {
            assertThat(ordinaryUser.to(command))
                    .as(command)
                    .startsWith("exit code 1: verbs " + command.split(" ")[0])
                    .contains("EACCES", Rxe.node().toString(), "no permission", "udev")
                    .doesNotContain(" | ");
        }
    }

    @Test
    void anOrdinaryUserSeesWhatTheKernelShowsToAll() {
        assertThat(ordinaryUser.to(COUNTERS)).startsWith("exit code 0: ").contains("rxe0/1", "sent_pkts");
        assertThat(ordinaryUser.to(RESOURCES)).startsWith("exit code 0: device ");
    }

    @Test
    void anOrdinaryUserReadsThatCapturingNeedsACapability() {
        assertThat(ordinaryUser.to(CAPTURE))
                .startsWith("exit code 1: verbs capture: ")
                .contains("EPERM", "needs CAP_NET_RAW")
                .doesNotContain(" | ");
    }

    @Test
    void theDoctorOfAnOrdinaryUserNamesTheNode() {
        assertThat(ordinaryUser.to(DOCTOR))
                .startsWith("exit code 4: ")
                .contains("error    rxe0: this user cannot read and write " + Rxe.node(), "by a udev rule");
    }

    @Test
    void aNodeThatIsMissingIsNamedWithWhatToDo() {
        for (String command : OPENING) {
            assertThat(withoutNode.to(command))
                    .as(command)
                    .startsWith("exit code 1: verbs " + command.split(" ")[0])
                    .contains("ENOENT", Rxe.node().toString(), "no such node")
                    .doesNotContain(" | ");
        }
        assertThat(withoutNode.to(COUNTERS)).startsWith("exit code 0: ");
        assertThat(withoutNode.to(DOCTOR))
                .startsWith("exit code 4: ")
                .contains("error    rxe0: missing device file " + Rxe.node(), "--device " + Rxe.node());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                    "devinfo", "gids", "counters", "resources", "doctor", "asyncwatch", "rc-pingpong", "uc-pingpong",
                    "ud-pingpong",
                    "srq-pingpong", "perf send-lat", "step rc-pingpong", "trace rc-pingpong",
                    "trace --capture rc-pingpong"
            })
    void aWrongDeviceIsNamedWithThoseThatThereAre(String command) {
        ToolRun.of((command + " -d rxe9").split(" ")).requireFailure(1, "rxe9", "there are rxe0, rxe1");
    }

    @Test
    void captureNamesAWrongDevice() {
        ToolRun.of("capture", "-i", "rxe9").requireFailure(1, "unknown network interface or device: rxe9", "'ip link'");
    }
}
