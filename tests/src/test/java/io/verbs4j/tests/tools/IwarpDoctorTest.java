// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.discovery.UverbsDevice;
import io.verbs4j.abi.host.Host;
import io.verbs4j.simulator.SimulatedDevice;
import io.verbs4j.simulator.SimulatedHost;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.tests.support.ToolRun;
import io.verbs4j.types.NodeType;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

/// The doctor of an iWARP device reports nothing about GIDs and path MTUs, which iWARP does not use, and connects by
/// address. The device has no address, so that no address of this machine can be taken for the device's.
class IwarpDoctorTest {
    private static Host iwarp(Host machine) {
        return (Host) Proxy.newProxyInstance(
                IwarpDoctorTest.class.getClassLoader(), new Class<?>[]{Host.class}, (host, method, arguments) -> {
                    if (method.getName().equals("devices")) {
                        return machine.devices().stream().map(IwarpDoctorTest::iwarp).toList();
                    }
                    if (method.isDefault()) {
                        return InvocationHandler.invokeDefault(host, method, arguments);
                    }
                    try {
                        return method.invoke(machine, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static UverbsDevice iwarp(UverbsDevice rxe) {
        return new UverbsDevice(
                rxe.name(),
                rxe.index(),
                rxe.uverbsName(),
                rxe.node(),
                rxe.major(),
                rxe.minor(),
                rxe.driverId(),
                rxe.driverAbiVersion(),
                rxe.coreAbiVersion(),
                NodeType.RNIC,
                rxe.nodeGuid(),
                rxe.systemImageGuid(),
                null,
                rxe.firmwareVersion(),
                rxe.ports());
    }

    @Test
    void connectsByAddressAndIgnoresGids() {
        SimulatedHost machine = SimulatedNetwork.inRealTime(1).addHost("here", KernelProfile.LINUX_7_2);
        SimulatedDevice device = machine.addDevice("iw0");
        machine.addresses("veth0").forEach(device::removeAddress);
        try (Host.Replacement _ = Host.replaceCurrent(iwarp(machine))) {
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
