// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.host.Host;
import io.verbs4j.simulator.SimulatedHost;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.tests.support.ToolRun;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `trace --capture` looks for the device of its command. If it found none, it would capture the first device, and the
/// command would report the missing one.
class TracedDeviceTest {
    @ParameterizedTest
    @ValueSource(strings = {"-d none", "-dnone", "-d=none", "--ib-dev none", "--ib-dev=none"})
    void isThatOfTheCommandInEveryForm(String option) {
        SimulatedHost host = SimulatedNetwork.inRealTime(1).addHost("here", KernelProfile.LINUX_7_2);
        host.addDevice("rxe0");
        try (Host.Replacement _ = Host.replaceCurrent(host)) {
            ToolRun run = ToolRun.of(("trace --capture devinfo " + option).split(" "));
            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.error()).startsWith("verbs trace: find RDMA device none failed: ENODEV");
        } finally {
            host.network().close();
        }
    }
}
