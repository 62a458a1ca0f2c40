// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.JavaProcess;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.Rxe;
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

/// Tests an ordinary user: a device file without permission, and a small limit of locked memory.
@DeviceTest
@RealKernel("device files, and users who may not open them")
@Needs.OneKernel
@Needs.LongRun("a Java process of another user")
class OrdinaryUserIT {
    private static final int MAY_LOCK = 64 * 1024;

    @SuppressWarnings("NullAway.Init") // by run()
    private static Answers answers;

    /// One process for all tests, because a Java process takes long to start. Meanwhile only root can access the left
    /// device's file.
    @BeforeAll
    static void run() throws IOException {
        Path folder = Files.createTempDirectory("ordinary-user");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path node = Rxe.node();
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(node);
        Files.setPosixFilePermissions(node, PosixFilePermissions.fromString("rw-------"));
        try {
            var command = new ArrayList<>(List.of("prlimit", "--memlock=" + MAY_LOCK));
            command.addAll(JavaProcess.forOrdinaryUser(folder, OrdinaryUserProbe.class));
            answers = Answers.of(ExternalProcess.ofOrdinaryUser(command).run(Duration.ofSeconds(120)));
        } finally {
            Files.setPosixFilePermissions(node, permissions);
        }
    }

    @Test
    @Covers("ibv_get_device_list")
    void seesTheDevices() {
        assertThat(answers.to("list")).isEqualTo("[rxe0, rxe1]");
    }

    @Test
    @Covers("ibv_open_device")
    void readsThatTheNodeMayNotBeOpened() {
        assertThat(answers.to("open"))
                .startsWith("VerbsException: ")
                .contains("EACCES", Rxe.node().toString(), "may not read and write the node");
    }

    @Test
    void readsThatCapturingNeedsACapability() {
        assertThat(answers.to("capture"))
                .startsWith("VerbsException: capture packets failed: EPERM")
                .contains("needs CAP_NET_RAW");
    }

    @Test
    void usesADeviceWhoseNodeMayBeOpened() {
        assertThat(answers.to("traffic")).isEqualTo("SUCCESS");
    }

    @Test
    void readsThatAPrivilegedQkeyNeedsACapability() {
        assertThat(answers.to("privileged Q_Key"))
                .startsWith("VerbsException: ")
                .contains("EPERM", "a Q_Key with bit 31 set needs CAP_NET_RAW");
    }

    @Test
    void registersWhatMayBeLocked() {
        assertThat(answers.to("register little")).isEqualTo("4096 bytes");
    }

    @Test
    @Covers("ibv_reg_mr")
    void readsHowMuchMayBeLockedAndHowToRaiseIt() {
        assertThat(answers.to("register much"))
                .startsWith("ResourceLimitException: ")
                .contains("ENOMEM", "1048576 bytes", "ulimit -l 64", "CAP_IPC_LOCK");
    }
}
