// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.pyverbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Devices;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Children of the process, as in `test_fork.py`.
@PyverbsScenarios
@RealKernel("processes")
@Needs.OneKernel
class PyverbsForkIT {
    /// The suite checks whether a fork needs preparations. None are known, because the kernel copies pinned pages.
    /// libibverbs checks for this, and traffic after a child's start proves it.
    @Test
    @Scenario("test_fork.ForkAPITest.test_is_fork_initialized")
    void needNoPreparation() {
        try (var players = Players.of(Setup.rc())) {
            players.exchangeMessages();
            ExternalProcess.Result system =
                    ExternalProcess.of("rdma", "system").run(Duration.ofSeconds(10)).requireSuccess();
            assertThat(system.output()).contains("copy-on-fork on");
            assertThat(Devices.copiesMemoryOnFork()).isTrue();
            players.exchangeMessages();
        }
    }
}
