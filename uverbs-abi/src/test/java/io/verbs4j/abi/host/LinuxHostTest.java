// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.device.FrameFile;
import io.verbs4j.types.DeviceGoneException;
import io.verbs4j.types.VerbsException;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// Queries the interface that every Linux machine has.
class LinuxHostTest {
    private static final Path NULL = Path.of("/dev/null");

    private final LinuxHost host = new LinuxHost();

    @Test
    void interfacesHaveTheirAddressesAndIndices() {
        assertThat(host.addresses("lo")).contains(InetAddress.ofLiteral("127.0.0.1"));
        assertThat(host.interfaceIndex("lo")).hasValue(1);
    }

    @Test
    void anInterfaceThatIsNotThereHasNone() {
        assertThat(host.addresses("nosuch0")).isEmpty();
        assertThat(host.interfaceIndex("nosuch0")).isEmpty();
    }

    @Test
    void theRouteToItselfIsThatOfLoopback() {
        assertThat(host.sourceAddress(InetAddress.ofLiteral("127.0.0.1")))
                .isEqualTo(InetAddress.ofLiteral("127.0.0.1"));
    }

    @Test
    void interfacesHaveNames() {
        assertThat(host.interfaceName(1)).contains("lo");
        assertThat(host.interfaceName(0)).isEmpty();
        assertThat(host.interfaceName(Integer.MAX_VALUE)).isEmpty();
    }

    @Test
    void opensNodes() {
        try (DeviceFile file = host.open(NULL); DeviceFile other = host.openNonBlocking(NULL)) {
            assertThat(file.fileDescriptor()).isNotNegative().isNotEqualTo(other.fileDescriptor());
        }
    }

    /// The device does not exist, whether the machine has others or not.
    @Test
    void aMissingDeviceHasNoPorts() {
        assertThatThrownBy(() -> host.pkeys("nosuch0", 1)).isInstanceOf(DeviceGoneException.class)
                .hasMessageContaining("/sys/class/infiniband/nosuch0/ports/1 is not there");
        assertThatThrownBy(() -> host.hardwareCounters("nosuch0", 1)).isInstanceOf(DeviceGoneException.class);
        assertThat(host.counters("nosuch0", 1)).isEmpty();
        assertThat(host.portState("nosuch0", 1)).isEmpty();
        assertThat(host.device("nosuch0")).isEmpty();
    }

    @Test
    void framesComeFromEthernetOnly() {
        assertThatThrownBy(() -> host.openFrames("nosuch0")).isInstanceOf(NoSuchFileException.class);
        try (FrameFile frames = host.openFrames("lo")) {
            assertThat(frames.takeLost()).isZero();
        } catch (IOException | VerbsException e) { // without sysfs, or without CAP_NET_RAW
            assertThat(e).hasMessageMatching("(?s).*(sysfs|EPERM).*");
        }
    }

    @Test
    void isTheOperatingSystem() {
        assertThat(host.isOperatingSystem()).isTrue();
        assertThat(host.kernel()).isEqualTo(KernelRelease.running());
        assertThat(host).hasToString("this machine");
    }
}
