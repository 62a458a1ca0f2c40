// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.sysfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.verbs4j.types.DeviceGoneException;
import io.verbs4j.types.PortState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SysfsPortTest {
    @TempDir private Path sys;

    private void write(String attribute, String text) throws IOException {
        Path file = sys.resolve("class/infiniband/mlx5_0/ports/1").resolve(attribute);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text + "\n");
    }

    private SysfsPort port() {
        return SysfsPort.of(sys, "mlx5_0", 1);
    }

    @BeforeEach
    void buildPort() throws IOException {
        write("state", "4: ACTIVE");
    }

    @Test
    void pkeysComeInTheOrderOfTheirIndexes() throws IOException {
        for (int index = 0; index < 12; index++) {
            write("pkeys/" + index, "0x%04x".formatted(0xffff - index));
        }
        assertThat(port().pkeys()).hasSize(12).startsWith(0xffff, 0xfffe).endsWith(0xfff5, 0xfff4);
    }

    @Test
    void countersAreUnsignedAndTheirLifespanIsNone() throws IOException {
        write("hw_counters/lifespan", "12");
        write("hw_counters/sent_pkts", "18446744073709551615");
        write("hw_counters/rcvd_pkts", "7");
        write("hw_counters/odd", "n/a");
        var counters = port().hardwareCounters();
        assertThat(counters.lifespan()).isEqualTo(Duration.ofMillis(12));
        assertThat(counters.values()).containsExactly(entry("rcvd_pkts", 7L), entry("sent_pkts", -1L));
        assertThat(counters.value("rcvd_pkts")).hasValue(7);
        assertThat(counters.value("odd")).isEmpty();
    }

    @Test
    void allCountersAreThoseOfBothFolders() throws IOException {
        write("hw_counters/sent_pkts", "12");
        write("hw_counters/lifespan", "10");
        write("counters/port_xmit_data", "18446744073709551615");
        write("counters/broken", "N/A (no PMA)");
        assertThat(port().counters()).containsExactly(entry("port_xmit_data", -1L), entry("sent_pkts", 12L));
        assertThat(SysfsPort.of(sys, "mlx5_0", 9).counters()).isEmpty();
    }

    @Test
    void theStateIsTheNumberInFront() throws IOException {
        assertThat(port().state()).contains(PortState.ACTIVE);
        write("state", "9: NEW");
        assertThat(port().state()).contains(new PortState(9));
        write("state", "ACTIVE");
        assertThat(port().state()).isEmpty();
        assertThat(SysfsPort.of(sys, "mlx5_0", 2).state()).isEmpty();
    }

    @Test
    void aPortWithoutThemHasNone() {
        assertThat(port().pkeys()).isEmpty();
        assertThat(port().hardwareCounters().values()).isEmpty();
        assertThat(port().hardwareCounters().lifespan()).isZero();
    }

    @Test
    void aPortThatIsNotThereIsADeviceThatIsGone() {
        var gone = SysfsPort.of(sys, "mlx5_0", 2);
        assertThatThrownBy(gone::pkeys).isInstanceOf(DeviceGoneException.class).hasMessageContaining("ENODEV");
        assertThatThrownBy(gone::hardwareCounters).isInstanceOf(DeviceGoneException.class);
    }
}
