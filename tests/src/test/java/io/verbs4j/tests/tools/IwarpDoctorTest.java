// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.discovery.UverbsDevice;
import io.verbs4j.abi.host.Host;
import io.verbs4j.simulator.SimulatedDevice;
import io.verbs4j.simulator.SimulatedHost;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.tests.support.ChangedDevices;
import io.verbs4j.tests.support.ToolRun;
import io.verbs4j.types.NodeType;
import org.junit.jupiter.api.Test;

/// The doctor of an iWARP device reports nothing about GIDs and path MTUs, which iWARP does not use, and connects by
/// address. The device has no address, so that no address of this machine can be taken for the device's.
class IwarpDoctorTest {
    private static UverbsDevice iwarp(UverbsDevice rxe) {
        return ChangedDevices.like(rxe, rxe.driverId(), rxe.driverAbiVersion(), NodeType.RNIC, null);
    }

    @Test
    void connectsByAddressAndIgnoresGids() {
        SimulatedHost machine = SimulatedNetwork.inRealTime(1).addHost("here", KernelProfile.LINUX_7_2);
        SimulatedDevice device = machine.addDevice("iw0");
        machine.addresses("veth0").forEach(device::removeAddress);
        try (Host.Replacement _ = Host.replaceCurrent(ChangedDevices.of(machine, IwarpDoctorTest::iwarp))) {
            assertThat(ToolRun.of("doctor", "-d", "iw0").lines())
                    .satisfiesExactly(
                            line -> assertThat(line).startsWith("ok       machine: simulated"),
                            line -> assertThat(line).isEqualTo("ok       iw0: /dev/infiniband/uverbs0 opens"),
                            line -> assertThat(line).isEqualTo("ok       iw0/1: the port is ACTIVE"),
                            line -> assertThat(line)
                                    .startsWith("error    iw0/1: no message arrives between two queue pairs: iw0")
                                    .contains(" has no IP address; add one to its network interface "),
                            line -> assertThat(line).contains("see the kernel's log"),
                            line -> assertThat(line).startsWith("ok       connection manager: "));
        } finally {
            machine.network().close();
        }
    }
}
