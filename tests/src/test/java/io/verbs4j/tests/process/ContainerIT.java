// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.JavaProcess;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.Rxe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Tests a program in an ordinary user's container: a separate `/dev` with one device file, separate namespaces for
/// users, processes and semaphores, read-only files, and a small limit of locked memory.
@DeviceTest
@RealKernel("device files, and a container that has one of them")
@Needs.OneKernel
@Needs.LongRun("a process of its own")
class ContainerIT {
    private static final int MAY_LOCK = 64 * 1024;

    @SuppressWarnings("NullAway.Init") // by run()
    private static Answers answers;

    /// One container for all, because a Java process takes its time to start. It has the right device's node alone.
    @BeforeAll
    static void run() throws IOException {
        Path folder = Files.createTempDirectory("container");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        String node = Rxe.peerNode().toString();
        var command = new ArrayList<>(List.of(
                "prlimit", "--memlock=" + MAY_LOCK, "bwrap", "--unshare-user", "--unshare-pid", "--unshare-ipc",
                "--unshare-uts", "--die-with-parent", "--ro-bind", "/", "/", "--dev", "/dev", "--dev-bind", node, node,
                "--proc", "/proc"));
        command.addAll(JavaProcess.forOrdinaryUser(folder, OrdinaryUserProbe.class));
        answers = Answers.of(ExternalProcess.ofOrdinaryUser(command).run(Duration.ofSeconds(120)));
    }

    @Test
    void usesTheDeviceWhoseNodeTheContainerHas() {
        assertThat(answers.to("traffic")).isEqualTo("SUCCESS");
    }

    @Test
    void readsWhichOptionBringsTheNodeThatIsMissing() {
        assertThat(answers.to("open"))
                .startsWith("VerbsException: ")
                .contains("ENOENT", Rxe.node().toString(), "--device=" + Rxe.node())
                .doesNotContain("modprobe");
    }

    @Test
    void readsWhichOptionRaisesTheLimitOfLockedMemory() {
        assertThat(answers.to("register little")).isEqualTo("4096 bytes");
        assertThat(answers.to("register much"))
                .startsWith("ResourceLimitException: ")
                .contains("ENOMEM", "ulimit -l 64", "--ulimit memlock=");
    }
}
