// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.abi.failure.Initial;
import io.verbs4j.cm.stream.StreamGroup;
import io.verbs4j.sockets.SocketRules.Transport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// After a target could not be reached over RDMA, connections use TCP for some seconds if the rules permit TCP.
class SocketContextTest {
    private static final String MEMORY = "verbs4j.sockets.memory";
    private static final String RING = "verbs4j.sockets.ring";
    private static final InetSocketAddress TARGET = new InetSocketAddress(InetAddress.ofLiteral("10.9.0.2"), 7);
    private static final InetSocketAddress OTHER = new InetSocketAddress(InetAddress.ofLiteral("10.9.0.2"), 8);

    private final HashMap<InetSocketAddress, Long> failures = new HashMap<>();
    private final SocketContext context =
            new SocketContext(SocketRules.defaults(), StreamGroup.create(1 << 20), failures);

    @Test
    void onlyTheTargetThatFailedIsAvoided() {
        long before = System.nanoTime();
        context.failed(TARGET);
        long after = System.nanoTime();
        assertThat(failures).containsOnlyKeys(TARGET);
        assertThat(failures.get(TARGET) - Duration.ofSeconds(5).toNanos()).isBetween(before, after);
        SocketReport counts = SocketReport.now();
        assertThat(context.connecting(TARGET)).isEqualTo(Transport.TCP);
        assertThat(SocketReport.now().fallbacks() - counts.fallbacks()).isOne();
        assertThat(SocketReport.now().tcpConnects()).as("because of the rules").isEqualTo(counts.tcpConnects());
        assertThat(context.connecting(OTHER)).isEqualTo(Transport.RDMA_OR_TCP);
        SocketContext strict = context.with(SocketRules.parse("test", List.of("rdma connect * *")));
        assertThat(strict.connecting(TARGET)).as("TCP is not allowed").isEqualTo(Transport.RDMA);
    }

    @ParameterizedTest
    @CsvSource({"RDMA_OR_TCP, 0, 10000", "RDMA_OR_TCP, 1, 1", "RDMA_OR_TCP, 3000, 1500", "RDMA_OR_TCP, 30000, 10000",
            "RDMA, 3000, 10000"})
    void halfOfATimeoutRemainsForTcp(Transport transport, int millis, long rdmaMillis) {
        assertThat(context.options(transport, millis).connectTimeout()).isEqualTo(Duration.ofMillis(rdmaMillis));
    }

    @Test
    void eachUseNamesAMemoryThatIsNoNumber() {
        String memory = System.clearProperty(MEMORY);
        System.setProperty(MEMORY, "64M");
        try {
            Supplier<SocketContext> shared = Initial.of(SocketContext::ofProperties);
            for (int use = 0; use < 2; use++) {
                assertThatThrownBy(shared::get).isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("verbs4j.sockets.memory=64M is not a number");
            }
        } finally {
            System.clearProperty(MEMORY);
            if (memory != null) {
                System.setProperty(MEMORY, memory);
            }
        }
    }

    @Test
    void aSizeThatIsNoNumberIsRefused() {
        String ring = System.getProperty(RING, "65536");
        System.setProperty(RING, "64K");
        try {
            assertThatThrownBy(context::options).isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("verbs4j.sockets.ring=64K is not a number");
        } finally {
            System.setProperty(RING, ring);
        }
    }

    @Test
    void afterwardsItIsTriedAgain() {
        failures.put(TARGET, System.nanoTime() - 1);
        assertThat(context.connecting(TARGET)).isEqualTo(Transport.RDMA_OR_TCP);
        assertThat(failures).isEmpty();
    }

    @Test
    void eachFailureForgetsThoseThatAreOver() {
        long lasting = System.nanoTime() + Duration.ofHours(1).toNanos();
        var third = new InetSocketAddress(TARGET.getAddress(), 9);
        failures.put(TARGET, System.nanoTime() - 1);
        failures.put(third, lasting);
        context.failed(OTHER);
        assertThat(failures).containsOnlyKeys(OTHER, third).containsEntry(third, lasting);
    }
}
