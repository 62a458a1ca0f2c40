// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.uapi.RdmaDriver;
import io.verbs4j.types.NodeType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An artificial system. Its character devices are links to `/dev/null` (1:3) and `/dev/zero` (1:5).
class DeviceDirectoryTest {
    @TempDir private Path root;

    private final List<Path> links = new ArrayList<>();

    private void write(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text + "\n");
    }

    private void link(String path, String target) throws IOException {
        Path link = root.resolve(path);
        Files.createDirectories(link.getParent());
        links.add(Files.createSymbolicLink(link, Path.of(target)));
    }

    /// JUnit warns of links to files outside of the folder.
    @AfterEach
    void removeLinks() throws IOException {
        for (Path link : links) {
            Files.deleteIfExists(link);
        }
    }

    @BeforeEach
    void buildRxe() throws IOException {
        write("sys/class/infiniband_verbs/abi_version", "6");
        write("sys/class/infiniband_verbs/uverbs0/ibdev", "rxe0");
        write("sys/class/infiniband_verbs/uverbs0/dev", "1:3");
        write("sys/class/infiniband_verbs/uverbs0/abi_version", "2");
        write("sys/class/infiniband/rxe0/node_type", "1: CA");
        write("sys/class/infiniband/rxe0/node_guid", "1001:38ff:fe7e:2e82");
        write("sys/class/infiniband/rxe0/sys_image_guid", "1001:38ff:fe7e:2e83");
        write("sys/class/infiniband/rxe0/parent", "veth0");
        write("sys/class/infiniband/rxe0/fw_ver", "");
        write("sys/class/infiniband/rxe0/ports/1/state", "4: ACTIVE");
        link("dev/infiniband/uverbs0", "/dev/null");
    }

    private void buildMlx5() throws IOException {
        write("sys/class/infiniband_verbs/uverbs10/ibdev", "mlx5_0");
        write("sys/class/infiniband_verbs/uverbs10/dev", "1:5");
        write("sys/class/infiniband_verbs/uverbs10/abi_version", "1");
        write("sys/class/infiniband/mlx5_0/node_type", "1: CA");
        write("sys/class/infiniband/mlx5_0/fw_ver", "16.35.1012");
        write("sys/class/infiniband/mlx5_0/ports/1/state", "4: ACTIVE");
        write("sys/class/infiniband/mlx5_0/ports/2/state", "1: DOWN");
    }

    private UverbsDevice only() {
        assertThat(DeviceDirectory.below(root).devices()).hasSize(1);
        return DeviceDirectory.below(root).devices().getFirst();
    }

    @Test
    void everythingThatSysfsSaysIsRead() {
        assertThat(only())
                .isEqualTo(new UverbsDevice(
                        "rxe0",
                        -1,
                        "uverbs0",
                        root.resolve("dev/infiniband/uverbs0"),
                        1,
                        3,
                        RdmaDriver.RXE,
                        2,
                        6,
                        NodeType.CA,
                        0x100138fffe7e2e82L,
                        0x100138fffe7e2e83L,
                        "veth0",
                        "",
                        1));
    }

    @Test
    void devicesComeInTheOrderOfTheirNodes() throws IOException {
        buildMlx5();
        assertThat(DeviceDirectory.below(root).devices())
                .extracting(UverbsDevice::name)
                .containsExactly("rxe0", "mlx5_0");
    }

    @Test
    void whatOtherDriversReportIsRead() throws IOException {
        buildMlx5();
        UverbsDevice device = DeviceDirectory.below(root).device("mlx5_0").orElseThrow();
        assertThat(device.networkInterface()).isNull();
        assertThat(device.firmwareVersion()).isEqualTo("16.35.1012");
        assertThat(device.ports()).isEqualTo(2);
        assertThat(device.nodeGuid()).isZero();
        assertThat(device.driverId()).isEqualTo(RdmaDriver.UNKNOWN);
    }

    @Test
    void indexAndDriverAreWhatNetlinkSays() throws IOException {
        buildMlx5();
        var directory = DeviceDirectory.below(
                root,
                Map.of("uverbs10", new DeviceIds(7, 1), "uverbs0", new DeviceIds(3, RdmaDriver.SIW)));
        assertThat(directory.devices())
                .extracting(UverbsDevice::driverId)
                .containsExactly(RdmaDriver.SIW, 1);
        assertThat(directory.devices()).extracting(UverbsDevice::index).containsExactly(3, 7);
        assertThat(directory.device("mlx5_0").map(UverbsDevice::index)).contains(7);
    }

    @Test
    void aSoftwareDeviceOfAnotherAbiIsNotTakenForRxe() throws IOException {
        write("sys/class/infiniband_verbs/uverbs0/abi_version", "1");
        assertThat(only().driverId()).isEqualTo(RdmaDriver.UNKNOWN);
    }

    @Test
    void aNodeOfAnotherDeviceIsNotOpened() throws IOException {
        Files.delete(root.resolve("dev/infiniband/uverbs0"));
        link("dev/infiniband/uverbs0", "/dev/zero");
        link("dev/char/1:3", "/dev/null");
        assertThat(only().node()).isEqualTo(root.resolve("dev/char/1:3"));
    }

    @Test
    void withoutAnyNodeTheUsualOneIsNamed() throws IOException {
        Files.delete(root.resolve("dev/infiniband/uverbs0"));
        assertThat(only().node()).isEqualTo(root.resolve("dev/infiniband/uverbs0"));
    }

    @Test
    void aDeviceThatVanishesIsLeftOut() throws IOException {
        for (String attribute : new String[]{
                "sys/class/infiniband_verbs/uverbs0/ibdev",
                "sys/class/infiniband_verbs/uverbs0/dev",
                "sys/class/infiniband_verbs/uverbs0/abi_version",
                "sys/class/infiniband/rxe0/node_type"
        }) {
            byte[] text = Files.readAllBytes(root.resolve(attribute));
            Files.delete(root.resolve(attribute));
            assertThat(DeviceDirectory.below(root).devices()).as(attribute).isEmpty();
            Files.write(root.resolve(attribute), text);
        }
        write("sys/class/infiniband_verbs/uverbs0/dev", "1-3");
        assertThat(DeviceDirectory.below(root).devices()).isEmpty();
    }

    @Test
    void aMachineWithoutRdmaHasNoDevices() {
        assertThat(DeviceDirectory.below(root.resolve("nowhere")).devices()).isEmpty();
        assertThat(DeviceDirectory.below(root.resolve("nowhere")).device("rxe0")).isEmpty();
    }

    @Test
    void theRunningSystemCanBeAsked() {
        assertThat(DeviceDirectory.system().devices()).doesNotContainNull();
        assertThat(DeviceDirectory.system().device("no such device")).isEqualTo(Optional.empty());
    }

    @Test
    void deviceNumbersHaveTwoForms() throws IOException {
        assertThat(DeviceNumber.parse("231:192")).isEqualTo(new DeviceNumber(231, 192));
        assertThat(DeviceNumber.parse("")).isNull();
        assertThat(DeviceNumber.parse("231")).isNull();
        assertThat(DeviceNumber.parse("a:b")).isNull();
        assertThat(new DeviceNumber(231, 192).toStat()).isEqualTo(0xe7c0);
        assertThat(new DeviceNumber(0x12345, 0x6789a).toStat()).isEqualTo(0x0001_2000_6783_459aL);
        assertThat(new DeviceNumber(1, 3).toStat()).isEqualTo(Files.getAttribute(Path.of("/dev/null"), "unix:rdev"));
    }
}
