// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.sysfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.types.Errno;
import io.verbs4j.types.Gid;
import io.verbs4j.types.GidEntry;
import io.verbs4j.types.GidType;
import io.verbs4j.types.VerbsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SysfsGidTableTest {
    private static final String LINK_LOCAL = "fe80:0000:0000:0000:1001:38ff:fe7e:2e82";
    private static final String ADDRESS = "0000:0000:0000:0000:0000:ffff:0a09:0001";
    private static final String EMPTY = "0000:0000:0000:0000:0000:0000:0000:0000";

    @TempDir private Path sys;

    private void write(String path, String text) throws IOException {
        Path file = sys.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text + "\n");
    }

    @BeforeEach
    void buildPort() throws IOException {
        String port = "class/infiniband/rxe0/ports/1/";
        write(port + "link_layer", "Ethernet");
        write(port + "gids/0", LINK_LOCAL);
        write(port + "gid_attrs/types/0", "IB/RoCE v1");
        write(port + "gid_attrs/ndevs/0", "veth0");
        write(port + "gids/1", ADDRESS);
        write(port + "gid_attrs/types/1", "RoCE v2");
        write(port + "gid_attrs/ndevs/1", "gone0");
        write(port + "gids/2", EMPTY);
        write("class/net/veth0/ifindex", "7");
    }

    @Test
    void validEntriesAreListed() {
        assertThat(SysfsGidTable.of(sys, "rxe0").entries())
                .containsExactly(
                        new GidEntry(Gid.parse(LINK_LOCAL), 0, 1, GidType.ROCE_V1, 7),
                        new GidEntry(Gid.parse(ADDRESS), 1, 1, GidType.ROCE_V2, 0));
    }

    @Test
    void anInfinibandPortHasInfinibandEntries() throws IOException {
        write("class/infiniband/rxe0/ports/1/link_layer", "InfiniBand");
        assertThat(SysfsGidTable.of(sys, "rxe0").entry(1, 0).type()).isEqualTo(GidType.IB);
    }

    @Test
    void oneEntryIsReadOrRefusedAsTheKernelsCommandDoes() {
        SysfsGidTable table = SysfsGidTable.of(sys, "rxe0");
        assertThat(table.entry(1, 1).gid()).isEqualTo(Gid.parse(ADDRESS));
        assertThat(errno(() -> table.entry(1, 2))).isEqualTo(Errno.ENODATA);
        assertThat(errno(() -> table.entry(1, 3))).isEqualTo(Errno.EINVAL);
        assertThat(errno(() -> table.entry(1, -1))).isEqualTo(Errno.EINVAL);
        assertThat(errno(() -> table.entry(2, 0))).isEqualTo(Errno.EINVAL);
    }

    @Test
    void aDeviceThatIsNotThereIsGone() {
        assertThatThrownBy(() -> SysfsGidTable.of(sys, "rxe9").entries())
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENODEV));
    }

    private static int errno(Runnable action) {
        try {
            action.run();
            return 0;
        } catch (VerbsException e) {
            return e.errno();
        }
    }
}
