// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.Repository;
import io.verbs4j.tests.support.TemporaryRxe;
import io.verbs4j.tests.support.ToolRun;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// `verbs asyncwatch` beside `ibv_asyncwatch`: what happens to one device, both report in the same lines.
@DeviceTest
@Covers({"ibv_get_async_event", "ibv_event_type_str"})
@RealKernel("programs in C, and devices that iproute2 makes")
@Needs.OneKernel
class AsyncwatchIT {
    private static final Duration LIMIT = Duration.ofSeconds(100);

    private final TemporaryRxe device = new TemporaryRxe();

    @AfterEach
    void close() {
        device.close();
    }

    private static ExternalProcess.Running start(String... command) {
        return ExternalProcess.of(command).start();
    }

    private static ExternalProcess.Running startOurs() {
        return start(Repository.tool("verbs").toString(), "asyncwatch", "-d", TemporaryRxe.NAME);
    }

    private static List<String> lines(ExternalProcess.Running program) {
        return program.output().lines().map(line -> line.replaceAll("FD \\d+", "FD N")).toList();
    }

    @Test
    @Needs.LongRun("a program in C and a Java process, which wait for events of a device")
    void bothReportTheSameAndEndWhenTheyAreAskedTo() {
        try (
                var java = startOurs();
                var c = start("ibv_asyncwatch", "-d", TemporaryRxe.NAME)) {
            java.awaitOutput(": async event FD ");
            c.awaitOutput(": async event FD ");
            device.setLink("down");
            java.awaitOutput("IBV_EVENT_PORT_ERR (10), port 1");
            device.setLink("up");
            java.awaitOutput("IBV_EVENT_PORT_ACTIVE (9), port 1");
            device.address("add", "10.9.70.99/24");
            java.awaitOutput("IBV_EVENT_GID_CHANGE (18), port 1");
            Eventually.until(() -> lines(java).equals(lines(c)), () -> lines(java) + "\n" + lines(c));

            assertThat(lines(c)).startsWith(TemporaryRxe.NAME + ": async event FD N",
                    "  event_type IBV_EVENT_PORT_ERR (10), port 1");
            endsCleanly(java);
            c.signal("TERM");
            c.await(LIMIT);
        }
    }

    private static void endsCleanly(ExternalProcess.Running program) {
        program.signal("TERM");
        var result = program.await(LIMIT);
        assertThat(result.exitCode()).as(result::toString).isEqualTo(143);
        assertThat(result.output()).doesNotContain("Exception");
    }

    @Test
    void refusesADeviceThatIsNotThere() {
        ToolRun.of("asyncwatch", "-d", "rxe99").requireFailure(1, "verbs asyncwatch: ", "rxe99", "rxe0");
    }
}
