// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.sysfs.SysfsPort;
import io.verbs4j.tools.inspect.CountersCommand.Change;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CountersTest {
    @TempDir private Path port;

    @Test
    void bothFoldersAreRead() throws IOException {
        Files.createDirectories(port.resolve("hw_counters"));
        Files.createDirectories(port.resolve("counters"));
        Files.writeString(port.resolve("hw_counters/sent_pkts"), "12\n");
        Files.writeString(port.resolve("hw_counters/lifespan"), "10\n");
        Files.writeString(port.resolve("counters/port_xmit_data"), "18446744073709551615\n");
        Files.writeString(port.resolve("counters/broken"), "N/A (no PMA)\n");

        assertThat(SysfsPort.allCounters(port)).isEqualTo(Map.of("sent_pkts", 12L, "port_xmit_data", -1L));
    }

    @Test
    void aPortThatIsGoneHasNone() {
        assertThat(SysfsPort.allCounters(port.resolve("9"))).isEmpty();
    }

    @Test
    void onlyWhatChangedIsShownWithItsRate() {
        assertThat(Change.between(Map.of("a", 5L, "b", 7L), Map.of("a", 5L, "b", 17L, "c", 2L), 2))
                .isEqualTo(Map.of("b", new Change(17, 10, 5), "c", new Change(2, 2, 1)));
    }
}
