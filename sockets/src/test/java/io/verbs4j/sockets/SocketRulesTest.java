// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.sockets.SocketRules.Action;
import io.verbs4j.sockets.SocketRules.Transport;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SocketRulesTest {
    private static final SocketRules RULES = SocketRules.parse(
            "rules",
            List.of(
                    "# first match wins",
                    "tcp connect 10.9.0.7 *",
                    "rdma\tconnect 10.9.0.0/24 7000-7100   # the cluster",
                    "",
                    "tcp bind * 22-*",
                    "rdma-or-tcp bind 10.9.0.2 21",
                    "rdma connect fd00::/16 *"));

    @ParameterizedTest
    @CsvSource({
            "CONNECT, 10.9.0.7, 7000, TCP",
            "CONNECT, 10.9.0.8, 7000, RDMA",
            "CONNECT, 10.9.0.255, 7100, RDMA",
            "CONNECT, 10.9.0.8, 7101, RDMA_OR_TCP",
            "CONNECT, 10.9.1.0, 7000, RDMA_OR_TCP",
            "CONNECT, fd00:1::2, 1, RDMA",
            "CONNECT, fc00::2, 1, RDMA_OR_TCP",
            "CONNECT, 127.0.0.1, 7000, TCP",
            "BIND, 10.9.0.2, 21, RDMA_OR_TCP",
            "BIND, 10.9.0.8, 22, TCP",
            "BIND, 0.0.0.0, 65535, TCP",
            "BIND, 10.9.0.8, 21, RDMA_OR_TCP",
    })
    void theFirstMatchDecides(Action action, String host, int port, Transport transport) {
        assertThat(RULES.transport(action, new InetSocketAddress(host, port))).isEqualTo(transport);
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "rdma connect 10.9.0.1", "udp connect * *", "rdma listen * *", "rdma bind * 65536", "rdma bind * -1",
            "rdma bind * a", "rdma bind * 7100-7000", "rdma connect 10.9.0.0/33 *", "rdma connect 10.9.0.0/x *",
            "rdma connect * * *"})
    void refusesWhatIsNoRule(String line) {
        assertThatThrownBy(() -> SocketRules.parse("my.rules", List.of("", line)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("my.rules, line 2: ")
                .hasMessageContaining("rdma|tcp|rdma-or-tcp connect|bind");
    }

    @Test
    void withoutRulesEverythingMayBeRdmaButLoopback() {
        SocketRules none = SocketRules.defaults();
        assertThat(none.transport(Action.CONNECT, new InetSocketAddress("10.9.0.1", 1)))
                .isEqualTo(Transport.RDMA_OR_TCP);
        assertThat(none.transport(Action.BIND, new InetSocketAddress("::1", 1))).isEqualTo(Transport.TCP);
    }
}
