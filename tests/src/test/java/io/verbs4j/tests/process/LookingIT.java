// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.JavaProcess;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The commands that show devices, on a machine whose devices the process cannot see. They report the API's reason.
/// They do not suggest loading modules that are loaded, or creating devices that exist.
@DeviceTest
@Needs.OneKernel
@Needs.LongRun("processes of their own")
@RealKernel("processes from which devices are hidden")
class LookingIT {
    private static final String NAMESPACE = "blind";
    private static final Duration LIMIT = Duration.ofSeconds(120);
    /// Exit codes: `devices` and `link list` show nothing, successfully; `doctor` has found errors.
    private static final Map<String, String> EXIT_CODES = Map.of(
            "devices", "0", "devinfo", "1", "gids", "1", "counters", "1", "doctor", "4");

    private static Answers look(List<String> surroundings, String... more) {
        var command = new ArrayList<>(surroundings);
        command.addAll(JavaProcess.command(LookingProbe.class));
        command.addAll(EXIT_CODES.keySet());
        command.addAll(List.of(more));
        return Answers.of(ExternalProcess.of(command).run(LIMIT));
    }

    private static void run(String... command) {
        ExternalProcess.of(command).run(LIMIT).requireSuccess();
    }

    @AfterEach
    void share() {
        ExternalProcess.of("ip", "netns", "delete", NAMESPACE).run(LIMIT);
        ExternalProcess.of("rdma", "system", "set", "netns", "shared").run(LIMIT);
    }

    /// Netlink, which `resources` asks, is there without sysfs.
    @Test
    void withoutSysfsNameTheMount() {
        Answers answers = look(
                List.of("unshare", "--mount", "--propagation", "private", "sh", "-ec",
                        "mount -t tmpfs none /sys; exec \"$@\"", "sh"),
                "resources");
        EXIT_CODES.forEach((command, code) -> assertThat(answers.to(command))
                .as(command)
                .startsWith(code + " ")
                .contains("sysfs, which lists the devices, is not mounted at /sys", "--volume=/sys:/sys:ro")
                .doesNotContain("modprobe", "link add"));
        assertThat(answers.to("resources")).startsWith("0 ");
    }

    @Test
    @Needs.LongRun("a Java process runs seven commands")
    void inAnotherNamespaceThanTheDeviceNameTheNamespace() {
        run("rdma", "system", "set", "netns", "exclusive");
        run("ip", "netns", "add", NAMESPACE);
        Answers answers = look(List.of("ip", "netns", "exec", NAMESPACE), "resources", "link list");
        EXIT_CODES.forEach((command, code) -> assertThat(answers.to(command))
                .as(command)
                .startsWith(code + " ")
                .contains("belongs to another network namespace", "rdma dev set NAME netns PID", "--network=host")
                .doesNotContain("modprobe", "link add"));
        assertThat(answers.to("resources")).startsWith("1 ").contains("belongs to another network namespace");
        assertThat(answers.to("link list")).startsWith("0 ").contains("belongs to another network namespace");
    }
}
