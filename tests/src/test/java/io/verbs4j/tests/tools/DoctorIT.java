// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.ToolRun;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// The doctor on a machine that is well, and on one that is not.
@DeviceTest
class DoctorIT {
    private static final Duration LIMIT = Duration.ofSeconds(100);

    @Test
    void findsNothingWrongWithTheLab() {
        ToolRun run = ToolRun.of("doctor").requireSuccess();
        assertThat(run.output())
                .contains(
                        "rdma_rxe is loaded",
                        "rxe0/1: the port is ACTIVE",
                        "rxe1/1: a message comes through from one queue pair to another",
                        "UDP port: 4791 is open for rxe",
                        "devices are shared by all network namespaces")
                .doesNotContain("warning  ", "error    ");
        assertThat(ToolRun.of("doctor", "-q").requireSuccess().output()).isEmpty();
    }

    @Test
    void findsAPortThatIsDownAndASecondDeviceWithoutAddress() {
        ExternalProcess.of("ip", "link", "add", "dummy8", "type", "dummy").run(LIMIT).requireSuccess();
        try {
            ToolRun.of("link", "add", "sick", "--netdev", "dummy8").requireSuccess();
            ToolRun run = ToolRun.of("doctor", "-q");
            assertThat(run.exitCode()).as(run::toString).isEqualTo(4);
            assertThat(run.output()).contains("error    sick/1: the port is DOWN", "ip link set dummy8 up");

            ExternalProcess.of("ip", "link", "set", "dummy8", "up").run(LIMIT).requireSuccess();
            Eventually.until(LIMIT, () -> ToolRun.of("doctor", "-q", "-d", "sick").exitCode() == 3, () -> "still down");
            assertThat(ToolRun.of("doctor", "-q", "-d", "sick").output())
                    .contains("no GID of RoCE v2 has an IPv4 address");
            ToolRun.of("link", "delete", "sick").requireSuccess();
        } finally {
            ExternalProcess.of("ip", "link", "delete", "dummy8").run(LIMIT).requireSuccess();
        }
    }
}
