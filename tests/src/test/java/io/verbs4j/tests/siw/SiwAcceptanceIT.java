// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.siw;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Siw;
import io.verbs4j.tests.support.ToolRun;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The acceptance of a real siw, which refuses much of what it is asked for, and says so; and the doctor.
@DeviceTest
@Siw.Test
@Needs.OneKernel
class SiwAcceptanceIT {
    @TempDir private Path folder;

    @Test
    void passesWhatItHasAndLeavesOutTheRestInTheDriversWords() {
        ToolRun run = ToolRun.of(
                "doctor", "--acceptance", Siw.LEFT, "--report", folder.resolve("report.txt").toString());

        assertThat(run.lines()).as(run::toString).noneMatch(line -> line.startsWith("failed "));
        assertThat(run.requireSuccess().lines())
                .filteredOn(line -> line.startsWith("left out "))
                .anyMatch(line -> line.contains("RC: send with immediate data")
                        && line.contains("iWARP has no immediate data"))
                .anyMatch(line -> line.contains("UD: send") && line.contains("the driver reports: "))
                .anyMatch(line -> line.contains("completion queue: resize") && line.contains("RESIZE_COMPLETION_QUEUE"))
                .allMatch(line -> line.contains("the driver reports") || line.contains("the driver does not announce")
                        || line.contains("iWARP has no RNR answer")
                        || line.contains("connects only by IP address"));
        assertThat(run.lines())
                .filteredOn(line -> line.startsWith("passed "))
                .anyMatch(line -> line.contains("RC: send, 1 B"))
                .anyMatch(line -> line.contains("RC: RDMA read"))
                .anyMatch(line -> line.contains("shared receive queue: receive"));
    }

    @Test
    void passesTheDoctorToo() {
        assertThat(ToolRun.of("doctor", "-q", "-d", Siw.LEFT).requireSuccess().output()).isEmpty();
        assertThat(ToolRun.of("doctor", "-d", Siw.LEFT).requireSuccess().output())
                .contains("ok       siw0/1: a message arrives between two queue pairs")
                .doesNotContain("GID");
    }
}
