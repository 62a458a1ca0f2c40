// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.Devices;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tests.support.Scenario;
import io.verbs4j.types.DeviceGoneException;
import io.verbs4j.types.Errno;
import io.verbs4j.types.NodeType;
import io.verbs4j.types.VerbsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// Listing and finding devices.
@DeviceTest
@Needs.EachKernel
class DevicesIT {
    /// `RDMA_DRIVER_RXE`.
    private static final int RXE_DRIVER = 14;

    @Test
    @Scenario("test_device.DeviceTest.test_dev_list")
    @Covers({"ibv_get_device_list", "ibv_get_device_name"})
    void listsBothDevicesByName() {
        assertThat(Devices.list()).extracting(Device::name).containsSubsequence(Rxe.LEFT, Rxe.RIGHT);
    }

    @Test
    void namesTheNodeThatItOpens() {
        Device device = Devices.find(Rxe.LEFT);
        assertThat(device.node()).hasFileName(device.uverbsName());
    }

    @Test
    @Covers("ibv_get_device_guid")
    @RealKernel("sysfs")
    void describesADeviceAsSysfsDoes() throws IOException {
        Device device = Devices.find(Rxe.LEFT);

        Path node = Path.of("/sys/class/infiniband_verbs", device.uverbsName());
        assertThat(Files.readString(node.resolve("ibdev"))).isEqualToIgnoringNewLines(device.name());
        assertThat(Files.readString(node.resolve("abi_version")).strip())
                .isEqualTo(Integer.toString(device.driverAbiVersion()));
        assertThat(device.node()).isEqualTo(Path.of("/dev/infiniband", device.uverbsName()));
        assertThat(guid(device.nodeGuid())).isEqualTo(Rxe.sysfs("node_guid"));
        assertThat(guid(device.systemImageGuid())).isEqualTo(Rxe.sysfs("sys_image_guid"));
        assertThat(device.firmwareVersion()).isEqualTo(Rxe.sysfs("fw_ver"));
        assertThat(device.networkInterface()).contains(Rxe.sysfs("parent"));
        assertThat(device.nodeType()).isEqualTo(NodeType.CA);
        assertThat(device.ports()).isEqualTo(1);
    }

    @Test
    void findsTheProviderByTheKernelsDriverId() {
        Device device = Devices.find(Rxe.LEFT);

        assertThat(device.driverId()).isEqualTo(RXE_DRIVER);
        assertThat(device.providerName()).contains("rxe");
    }

    @Test
    void refusesAnUnknownNameAndSaysWhatIsThere() {
        assertThatThrownBy(() -> Devices.open("rxe9"))
                .isInstanceOf(DeviceGoneException.class)
                .hasMessageContainingAll("rxe9", "ENODEV", Rxe.LEFT, Rxe.RIGHT)
                .asInstanceOf(type(VerbsException.class))
                .returns(Errno.ENODEV, VerbsException::errno);
    }

    @Test
    @Scenario("test_device.DeviceTest.test_open_dev")
    @Covers({"ibv_open_device", "ibv_close_device"})
    void opensADeviceMoreThanOnce() {
        try (
                Context first = Rxe.open();
                Context second = Rxe.open()) {
            assertThat(first.device().name()).isEqualTo(second.device().name());
            assertThat(first.port(1).state()).isEqualTo(second.port(1).state());
        }
    }

    private static String guid(long value) {
        return "%016x".formatted(value).replaceAll("(....)(?!$)", "$1:");
    }
}
