// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.Repository;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// The programs in `tools/reproductions`, which show defects of rxe to its maintainers without anything of ours. A kernel that mends a defect
/// makes its test fail.
@DeviceTest
@RealKernel("programs with pyverbs")
class ReproductionsIT {
    private static final Duration LIMIT = Duration.ofSeconds(120);

    @Test
    void anAtomicCompletesWithoutItsFormerValue() {
        var end = ExternalProcess.pyverbs(
                Repository.tool("reproductions").resolve("atomic-without-value.py"),
                "rxe0", "10.9.0.1", "rxe1", "10.9.0.2", "veth1")
                .run(LIMIT);
        assertThat(end.output()).isEqualTo("""
            work request 1: status 0
            work request 2: status 0
            the former value is 7; the requester has 99
            """);
        assertThat(end.exitCode()).isEqualTo(1);
    }
}
