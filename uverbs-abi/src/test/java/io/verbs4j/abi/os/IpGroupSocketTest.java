// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.tests.support.OpenFiles;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Memberships of the loopback interface, as the kernel lists them.
class IpGroupSocketTest {
    private static boolean lists(String file, String group) throws IOException {
        return Files.readString(Path.of("/proc/net", file)).contains(group);
    }

    private static long sockets() {
        return OpenFiles.count("socket:");
    }

    @ParameterizedTest
    @CsvSource({"239.17.34.51, igmp, 332211EF", "ff05::17:34, igmp6, ff050000000000000000000000170034"})
    void keepsTheInterfaceInTheGroup(String group, String file, String listed) throws IOException {
        assumeTrue(Files.exists(Path.of("/proc/net", file)));
        int loopback = NetworkInterface.getByName("lo").getIndex();
        long before = sockets();
        try (var _ = IpGroupSocket.join(loopback, new InetSocketAddress(group, 4791))) {
            assertThat(lists(file, listed)).isTrue();
        }
        assertThat(lists(file, listed)).isFalse();
        assertThat(sockets()).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource({"10.0.0.1", "fd00::1"})
    void anotherAddressIsRefused(String address) throws IOException {
        long before = sockets();
        assertThatThrownBy(() -> IpGroupSocket.join(1, new InetSocketAddress(address, 0)))
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
        assertThat(sockets()).isEqualTo(before);
    }
}
