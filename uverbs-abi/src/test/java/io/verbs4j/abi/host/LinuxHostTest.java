// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;

/// Queries the interface that every Linux machine has.
class LinuxHostTest {
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
}
