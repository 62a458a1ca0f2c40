// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tests.support.ToolRun;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The acceptance of a real rxe, with the programs in C beside it.
@DeviceTest
@RealKernel("programs in C")
@Needs.OneKernel
class AcceptanceIT {
    @TempDir private Path folder;

    @Test
    @Needs.LongRun("the whole acceptance, with the programs in C")
    void passesEverythingThatTheKernelHas() {
        ToolRun run = ToolRun.of(
                "doctor", "--acceptance", Rxe.LEFT, "--report", folder.resolve("report.txt").toString());

        assertThat(run.lines()).as(run::toString).noneMatch(line -> line.startsWith("failed "));
        assertThat(run.requireSuccess().lines())
                .filteredOn(line -> line.startsWith("left out "))
                .allMatch(line -> line.contains("the driver does not announce REREGISTER_MEMORY"));
        assertThat(run.lines())
                .filteredOn(line -> line.startsWith("passed ") && line.contains("beside C: "))
                .hasSize(11);
        assertThat(run.output()).contains("lines are equal", "usec/iter", " 0 failed, ");
    }
}
