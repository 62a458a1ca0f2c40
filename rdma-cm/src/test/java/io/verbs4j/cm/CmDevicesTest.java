// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Device;
import io.verbs4j.Devices;
import io.verbs4j.abi.discovery.UverbsDevice;
import io.verbs4j.abi.host.Host;
import io.verbs4j.simulator.SimulatedHost;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.tests.support.Forwarding;
import io.verbs4j.types.ConnectionAddresses;
import io.verbs4j.types.Errno;
import io.verbs4j.types.NodeType;
import io.verbs4j.types.PortSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Finds devices by what the connection manager reports about identifiers.
class CmDevicesTest {
    private final SimulatedNetwork network = SimulatedNetwork.inRealTime();
    private final SimulatedHost host = network.addHost("host", KernelProfile.LINUX_6_12);
    private final List<UverbsDevice> devices = new ArrayList<>();

    @AfterEach
    void close() {
        network.close();
    }

    private Host.Replacement withDevices() {
        return Host.replaceCurrent(
                Forwarding.of(
                        Host.class,
                        (_, method, arguments) -> method.getName()
                                .equals("devices") ? List.copyOf(devices) : Forwarding.pass(host, method, arguments)));
    }

    private void addDevice(String name, int index, NodeType type, long guid) {
        if (host.devices().isEmpty()) {
            host.addDevice("rxe0");
        }
        UverbsDevice like = host.devices().getFirst();
        devices.add(
                new UverbsDevice(
                        name, index, like.uverbsName(), like.node(), like.major(), like.minor(), like.driverId(),
                        like.driverAbiVersion(), like.coreAbiVersion(), type, guid, like.systemImageGuid(),
                        like.networkInterface(), like.firmwareVersion(), like.ports()));
    }

    private static Optional<String> found(long guid, int index) {
        return CmDevices.find(new ConnectionAddresses(null, null, guid, 1, 0, index)).map(Device::name);
    }

    @Test
    void devicesAreFoundByGuidAndClonesByIndex() {
        addDevice("only", 1, NodeType.CA, 0x11);
        addDevice("clone", 2, NodeType.CA, 0x22);
        addDevice("twin", 3, NodeType.CA, 0x22);
        addDevice("without index", -1, NodeType.CA, 0x33);
        addDevice("its clone", -1, NodeType.CA, 0x33);
        try (var _ = withDevices()) {
            assertThat(found(0, 1)).as("not bound to a device").isEmpty();
            assertThat(found(0x11, 1)).contains("only");
            assertThat(found(0x11, 7)).as("an older kernel reports no index").contains("only");
            assertThat(found(0x22, 2)).contains("clone");
            assertThat(found(0x22, 3)).contains("twin");
            assertThat(found(0x22, 1)).isEmpty();
            assertThat(found(0x44, 1)).isEmpty();
        }
    }

    @Test
    void anInvisibleDeviceIsExplained() {
        Identifier identifier = EventChannel.of(new PlayedConnectionManager()).create(PortSpace.TCP);
        try (var _ = withDevices()) {
            String absence = Host.current().absence().toString();
            assertThat(CmDevices.invisible(identifier)).hasMessage(
                    "find the RDMA device of TCP identifier 0 failed: " + Errno.describe(Errno.ENODEV) + ": "
                            + absence);
            addDevice("other", 1, NodeType.CA, 1);
            assertThat(CmDevices.invisible(identifier)).hasMessage(
                    "find the RDMA device of TCP identifier 0 failed: " + Errno.describe(Errno.ENODEV)
                            + ": the address belongs to an RDMA device that is not visible here; containers need its"
                            + " sysfs folder and /dev/infiniband/uverbsN");
        }
    }

    @Test
    void iwarpDevicesHaveTheirOwnNumberOfSends() {
        addDevice("roce", 1, NodeType.CA, 1);
        addDevice("iwarp", 2, NodeType.RNIC, 2);
        try (var _ = withDevices()) {
            Device roce = Devices.list().getFirst();
            Device iwarp = Devices.list().getLast();
            assertThat(CmDevices.isIwarp(roce)).isFalse();
            assertThat(CmDevices.isIwarp(iwarp)).isTrue();
            var options = ConnectionOptions.defaults().withQueues(5, 6);
            assertThat(options.maxSends(iwarp)).isEqualTo(5);
            for (int sends : new int[]{1, 9}) {
                assertThat(options.withIwarpSends(sends).maxSends(iwarp)).isEqualTo(sends);
                assertThat(options.withIwarpSends(sends).maxSends(roce)).isEqualTo(5);
                assertThat(options.withIwarpSends(sends).withMessages(10, 1).maxSends(iwarp)).isEqualTo(sends + 12);
            }
        }
    }
}
