// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.JavaProcess;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// A process that cannot see some files: those of rdma-core, then the device files, then the devices. It has its own
/// mounts, which end with it.
@DeviceTest
@RealKernel("device files, and processes from which they are hidden")
@Needs.OneKernel
@Needs.LongRun("a process for each kind of hiding")
class HiddenFilesIT {
    /// Hides the libraries of rdma-core, including those for compilers, and the folder of its drivers, and runs the
    /// given command.
    private static final String HIDING =
            """
                for file in /usr/lib/*/libibverbs* /usr/lib/*/librdmacm* /usr/lib/*/librxe* /usr/lib/*/pkgconfig/lib[ir]*; do
                    [ -e "$file" ] || continue
                    if [ -d "$file" ]; then mount -t tmpfs none "$file"; else mount --bind /dev/null "$file"; fi
                done
                exec "$@"
                """;

    @SuppressWarnings("NullAway.Init") // by run()
    private static Answers answers;

    /// One process for all, because a Java process takes its time to start.
    @BeforeAll
    static void run() {
        var command =
                new ArrayList<>(List.of("unshare", "--mount", "--propagation", "private", "sh", "-ec", HIDING, "sh"));
        command.addAll(JavaProcess.command(HiddenFilesProbe.class));
        answers = Answers.of(ExternalProcess.of(command).run(Duration.ofSeconds(120)));
    }

    @Test
    void worksWithoutRdmaCore() {
        assertThat(answers.to("bytes of rdma-core")).isEqualTo("0");
        assertThat(answers.to("without rdma-core")).isEqualTo("SUCCESS");
    }

    @Test
    @Covers("ibv_open_device")
    void saysThatTheNodeIsMissing() {
        assertThat(answers.to("without nodes"))
                .startsWith("VerbsException: ")
                .contains("ENOENT", "/dev/infiniband/uverbs", "no such node", "--device=/dev/infiniband/uverbs")
                .doesNotContain("modprobe");
    }

    @Test
    void saysThatSysfsIsHidden() {
        assertThat(answers.to("without sysfs"))
                .startsWith("DeviceGoneException: ")
                .contains("ENODEV", "mount -t sysfs sysfs /sys", "--volume=/sys:/sys:ro")
                .doesNotContain("modprobe");
    }

    @Test
    @Covers("ibv_get_device_list")
    void saysThatThereIsNoDeviceAndHowToMakeOne() {
        assertThat(answers.to("list without devices")).isEqualTo("[]");
        assertThat(answers.to("without devices"))
                .startsWith("DeviceGoneException: ")
                .contains("ENODEV", "this machine has no RDMA device", "modprobe rdma_rxe", "rdma link add");
    }
}
