// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.device.FrameFile;
import io.verbs4j.abi.host.Host;
import io.verbs4j.simulator.SimulatedHost;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.tests.support.Forwarding;
import io.verbs4j.tests.support.ToolRun;
import io.verbs4j.types.Errno;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// `trace --capture` looks for the device of its command. If it found none, it would capture the first device, and the
/// command would report the missing one. It also reports what its capture has missed.
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

    @ParameterizedTest
    @CsvSource({
            -Errno.EAGAIN + ", 3 packets lost by the capture",
            -Errno.EIO + ", the capture ended early: capture packets failed: EIO"
    })
    void isCapturedCompletelyOrWithAWarning(int received, String warning) {
        SimulatedHost host = SimulatedNetwork.inRealTime(1).addHost("here", KernelProfile.LINUX_7_2);
        host.addDevice("rxe0");
        FrameFile frames = Forwarding.of(FrameFile.class, (_, method, _) -> switch (method.getName()) {
            case "receive" -> received;
            case "takeLost" -> 3;
            case "await" -> {
                LockSupport.parkNanos(1_000_000);
                yield 0;
            }
            default -> null;
        });
        Host capturing = Forwarding.of(Host.class,
                (_, method, arguments) -> method.getName().equals("openFrames")
                        ? frames
                        : Forwarding.pass(host, method, arguments));
        try (Host.Replacement _ = Host.replaceCurrent(capturing)) {
            ToolRun run = ToolRun.of("trace --capture devinfo -l".split(" "));
            assertThat(run.error()).contains("verbs trace: " + warning);
        } finally {
            host.network().close();
        }
    }
}
