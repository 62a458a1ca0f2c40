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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A process whose control group limits its RDMA objects, as a container's does.
@DeviceTest
@Needs.OneKernel
@Needs.LongRun("a process of its own")
@RealKernel("control groups")
class LimitedObjectsIT {
    /// Makes a group, joins it and runs what it is given. The group stays until the guest ends: nothing is in it then.
    private static final String LIMITING =
            """
                folder=$(mktemp -d)
                mount -t cgroup2 none "$folder"
                echo +rdma > "$folder/cgroup.subtree_control"
                mkdir -p "$folder/limited"
                echo "rxe0 hca_handle=1 hca_object=4" > "$folder/limited/rdma.max"
                echo $$ > "$folder/limited/cgroup.procs"
                umount "$folder"
                exec "$@"
                """;

    @SuppressWarnings("NullAway.Init") // by run()
    private static Answers answers;

    @BeforeAll
    static void run() {
        var command = new ArrayList<>(List.of("sh", "-ec", LIMITING, "sh"));
        command.addAll(JavaProcess.command(LimitedObjectsProbe.class));
        answers = Answers.of(ExternalProcess.of(command).run(Duration.ofSeconds(120)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"region", "queue pair", "completion queue", "context"})
    @Covers({"ibv_reg_mr", "ibv_create_qp", "ibv_create_cq", "ibv_open_device"})
    void readsThatItsControlGroupLimitsIt(String made) {
        assertThat(answers.to(made)).startsWith("ResourceLimitException: ")
                .contains("EAGAIN", "control group", "rdma.max", "hca_handle", "hca_object");
    }

    @Test
    void goesOnWhenItHasClosedSomething() {
        assertThat(answers.to("context after a close")).isEqualTo("false");
    }
}
