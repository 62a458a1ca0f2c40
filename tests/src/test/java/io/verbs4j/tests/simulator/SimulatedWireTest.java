// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.simulator.LinkConditions;
import io.verbs4j.simulator.SimulatedDevice;
import io.verbs4j.simulator.SimulatedHost;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.types.CompletionStatus;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which packets a simulated wire carries, loses and repeats, counted at both ends.
class SimulatedWireTest {
    /// IPv4, UDP, base and RDMA headers, and the invariant CRC.
    private static final int HEADERS = 20 + 8 + 12 + 16 + 4;
    private static final int PAYLOAD = 1000;
    private static final int PCAP_HEADER = 24;
    private static final int ATTEMPTS = 4;

    private final SimulatedNetwork network = SimulatedNetwork.inVirtualTime(3);
    private final Conversation conversation =
            new Conversation(network, KernelProfile.LINUX_7_2, true, ATTEMPTS - 1);
    private final SimulatedHost host = network.hosts().getFirst();
    private final SimulatedDevice left = host.find("left").orElseThrow();
    private final SimulatedDevice right = host.find("right").orElseThrow();

    @AfterEach
    void close() {
        conversation.close();
    }

    /// Writes once to the right end.
    private CompletionStatus write() {
        try (var batch = conversation.left.queuePair().beginSend()) {
            batch.signaled()
                    .write()
                    .local(conversation.left.memory(), 0, PAYLOAD)
                    .remote(conversation.right.memory().remote(), 0)
                    .post();
            batch.submit();
        }
        return conversation.take(conversation.left, 1).getFirst().status();
    }

    private long counter(String device, String name) {
        return host.counters(device, 1).get(name);
    }

    /// `__is_skb_forwardable`, netdevice.h: the receiving interface accepts four bytes more than its MTU.
    @ParameterizedTest
    @CsvSource({"0, 9000, true", "-1, 9000, false", "9000, -4, true", "9000, -5, false", "0, -4, true"})
    void aPacketFitsIntoTheMtuOfBothInterfaces(int moreHere, int moreThere, boolean fits) {
        left.mtu(HEADERS + PAYLOAD + moreHere);
        right.mtu(HEADERS + PAYLOAD + moreThere);
        assertThat(write()).isEqualTo(fits ? CompletionStatus.SUCCESS : CompletionStatus.WORK_REQUEST_FLUSHED);
        assertThat(counter("left", "sent_pkts")).isEqualTo(fits ? 1 : 0);
        assertThat(counter("left", "send_err")).isEqualTo(fits ? 0 : 1);
        assertThat(counter("left", "sent_bytes")).isEqualTo(fits ? HEADERS + PAYLOAD : 0);
        assertThat(counter("right", "rcvd_bytes")).isEqualTo(fits ? HEADERS + PAYLOAD : 0);
    }

    @Test
    void allPacketsAreLost() {
        left.conditions(LinkConditions.PERFECT.withLoss(1));
        assertThat(write()).isEqualTo(CompletionStatus.RETRY_EXCEEDED);
        assertThat(left.lost()).isEqualTo(ATTEMPTS);
        assertThat(right.lost()).isZero();
        assertThat(counter("left", "sent_pkts")).isEqualTo(ATTEMPTS);
        assertThat(counter("right", "rcvd_pkts")).isZero();
    }

    @Test
    void answersAreLost() {
        right.conditions(LinkConditions.PERFECT.withLoss(1));
        assertThat(write()).isEqualTo(CompletionStatus.RETRY_EXCEEDED);
        assertThat(left.lost()).isZero();
        assertThat(right.lost()).isEqualTo(ATTEMPTS);
        assertThat(counter("right", "duplicate_request")).isEqualTo(ATTEMPTS - 1);
    }

    @Test
    void damagedPacketsDoNotArrive() {
        left.conditions(LinkConditions.PERFECT.withCorruption(1));
        assertThat(write()).isEqualTo(CompletionStatus.RETRY_EXCEEDED);
        assertThat(left.lost()).isZero();
        assertThat(counter("right", "rcvd_pkts")).isZero();
    }

    /// Each of both packets arrives twice, and the repeated request is answered again.
    @Test
    void packetsArriveTwice() {
        network.conditions(LinkConditions.PERFECT.withDuplication(1));
        assertThat(write()).isEqualTo(CompletionStatus.SUCCESS);
        assertThat(counter("right", "rcvd_pkts")).isEqualTo(2);
        assertThat(counter("right", "duplicate_request")).isOne();
        assertThat(counter("right", "sent_pkts")).isEqualTo(2);
        assertThat(counter("left", "rcvd_pkts")).isEqualTo(4);
        assertThat(left.lost() + right.lost()).isZero();
    }

    @Test
    void theLatestConditionsApply() {
        left.conditions(LinkConditions.PERFECT.withLoss(1));
        network.conditions(LinkConditions.PERFECT);
        assertThat(write()).isEqualTo(CompletionStatus.SUCCESS);
        network.conditions(LinkConditions.PERFECT.withLoss(1));
        left.conditions(LinkConditions.PERFECT);
        right.conditions(LinkConditions.PERFECT);
        assertThat(write()).isEqualTo(CompletionStatus.SUCCESS);
    }

    @Test
    void packetsTakeTheTimeOfTheWire() {
        Duration before = network.now();
        left.conditions(LinkConditions.PERFECT.withDelay(Duration.ofNanos(300)));
        right.conditions(LinkConditions.PERFECT.withDelay(Duration.ofNanos(50)).withReordering(1));
        try (var batch = conversation.left.queuePair().beginSend()) {
            batch.write()
                    .local(conversation.left.memory(), 0, 1)
                    .remote(conversation.right.memory().remote(), 0)
                    .post();
            batch.submit();
        }
        assertThat(network.now().minus(before)).isEqualTo(Duration.ofNanos(300 + 50 + 100_000));
    }

    /// The stream fails as if its disk were full, or as if the program had closed it.
    @Test
    void packetsArriveAlthoughTheirCaptureFails() {
        network.capture(new OutputStream() {
            private int left = PCAP_HEADER;

            @Override
            public void write(int octet) throws IOException {
                if (left == 0) {
                    throw new IOException("disk full");
                }
                left--;
            }
        });
        assertThat(write()).isEqualTo(CompletionStatus.SUCCESS);
        assertThatThrownBy(network::endCapture)
                .isInstanceOf(UncheckedIOException.class)
                .hasMessage("cannot write to the capture after 0 packets")
                .hasRootCauseMessage("disk full");
        network.endCapture(); // reported once
    }

    @Test
    void aLinkThatIsDownCarriesNothing() {
        right.link(false);
        assertThat(write()).isEqualTo(CompletionStatus.RETRY_EXCEEDED);
        assertThat(counter("right", "rcvd_pkts")).isZero();
        assertThat(counter("left", "sent_pkts")).isEqualTo(ATTEMPTS);
    }

    /// Without another device on the network, a connection to an own address uses its device even across the wire.
    @Test
    void aRouteAcrossTheWireNeedsAnotherDevice() {
        InetAddress own = InetAddress.ofLiteral("10.9.0.2");
        host.connectsAcrossTheWire(true);
        assertThat(host.sourceAddress(own)).isEqualTo(InetAddress.ofLiteral("10.9.0.1"));
        host.removeDevice("left");
        assertThat(host.sourceAddress(own)).isEqualTo(own);
        host.connectsAcrossTheWire(false);
        assertThat(host.sourceAddress(own)).isEqualTo(own);
    }
}
