// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.queuepair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.GidSelector;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.End;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.Errno;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.UdpSourcePort;
import io.verbs4j.types.VerbsException;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Tests what a path's attributes become on the wire.
@DeviceTest
@RealKernel("tcpdump on a network interface")
@Needs.EachKernel
class PathIT {
    /// Type of service, time to live and source port in the words of `tcpdump -v`.
    private static final Pattern FROM_LEFT =
            Pattern.compile(
                    "\\(tos 0x([0-9a-f]+),(?: ECT\\(\\d\\),)? ttl (\\d+),[^>]* 10\\.9\\.0\\.1\\.(\\d+) > 10\\.9\\.0\\.2\\.4791");

    private record Packet(int typeOfService, int timeToLive, int sourcePort) {}

    /// The first packet that the left end sends.
    private static Packet firstPacket(ConnectedPair pair) {
        try (
                var tcpdump = ExternalProcess.of(
                        "tcpdump", "-i", "veth0", "-n", "-v", "-l", "udp and src host 10.9.0.1 and dst port 4791")
                        .start()) {
            tcpdump.awaitOutput("listening on");
            pair.right().receive(1, 0, 64);
            pair.left().send(2, 0, 8);
            pair.left().completions().nextSuccess();
            Matcher packet = FROM_LEFT.matcher("");
            Eventually.until(() -> packet.reset(tcpdump.output()).find(), tcpdump::output);
            return new Packet(
                    Integer.parseInt(packet.group(1), 16),
                    Integer.parseInt(packet.group(2)),
                    Integer.parseInt(packet.group(3)));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC"})
    @Covers("ibv_flow_label_to_udp_sport")
    void flowLabelDecidesTheSourcePort(QueuePairType type) {
        int label = 0xabcde;
        try (
                var pair = ConnectedPair.onTheWire()
                        .transport(type)
                        .both(builder -> builder.flowLabel(label).trafficClass(0x20).hopLimit(7))
                        .connect()) {
            assertThat(firstPacket(pair))
                    .isEqualTo(new Packet(0x20, 64, UdpSourcePort.ofFlowLabel(label)));
            assertThat(pair.left().queuePair().query().addressVector())
                    .isNotNull()
                    .extracting(AddressVector::flowLabel, AddressVector::trafficClass, AddressVector::destinationGid)
                    .containsExactly(label, 0x20, Rxe.gid(2));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC"})
    void queuePairNumbersDecideItWithoutAFlowLabel(QueuePairType type) {
        try (var pair = ConnectedPair.onTheWire().transport(type).connect()) {
            int port = UdpSourcePort.ofQueuePairs(
                    pair.left().queuePair().number(), pair.right().queuePair().number());
            assertThat(firstPacket(pair).sourcePort()).isEqualTo(port);
        }
    }

    /// The golden ratio hash of the number, as computed by the kernel (`rxe_qp_init_req`, rxe_qp.c; `hash_32`,
    /// linux/hash.h).
    @Test
    void ownNumberAloneDecidesItForDatagrams() {
        try (var pair = ConnectedPair.onTheWire().transport(QueuePairType.UD).connect()) {
            int hash = pair.left().queuePair().number() * 0x61c88647 >>> 18;
            assertThat(firstPacket(pair).sourcePort()).isEqualTo(0xc000 + hash);
        }
    }

    /// In SQD a connected queue pair can be given another path.
    @Test
    void changesWithThePath() {
        try (var pair = ConnectedPair.onTheWire().connect()) {
            End left = pair.left();
            left.modify(QueuePairState.SQD);
            Eventually.until(() -> !left.queuePair().query().sendQueueDraining(), left::toString);
            left.queuePair()
                    .modify(QueuePairAttributes.builder()
                            .state(QueuePairState.SQD)
                            .addressVector(AddressVector.roce(1, left.gidIndex(), Rxe.gid(2)).withFlowLabel(0x54321))
                            .build());
            Eventually.until(() -> !left.queuePair().query().sendQueueDraining(), left::toString);
            left.modify(QueuePairState.RTS);
            assertThat(firstPacket(pair).sourcePort()).isEqualTo(UdpSourcePort.ofFlowLabel(0x54321));
        }
    }

    @Test
    void hasNoAlternate() {
        try (var pair = ConnectedPair.onTheWire().connect()) {
            var alternate = QueuePairAttributes.builder()
                    .state(QueuePairState.RTS)
                    .alternatePath(AddressVector.roce(1, Rxe.IPV4_INDEX, Rxe.gid(2)));
            assertThatThrownBy(() -> pair.left().queuePair().modify(alternate.build()))
                    .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
                    .hasMessageContaining("sets an alternate path, which exists on InfiniBand only");
            assertThat(pair.left().queuePair().query().state()).isEqualTo(QueuePairState.RTS);
        }
    }

    @ParameterizedTest
    @CsvSource({"200, ENODATA, 'empty slot'", "0, EINVAL, 'of one IP family'"})
    void needsASourceOfTheDestinationsFamily(int index, String errno, String why) {
        try (
                var context = Rxe.open();
                var domain = context.allocateProtectionDomain();
                var queue = context.createCompletionQueue(1);
                var queuePair = domain.reliableConnection(queue).create()) {
            queuePair.modify(QueuePairAttributes.builder()
                    .state(QueuePairState.INIT)
                    .pkeyIndex(0)
                    .port(1)
                    .accessFlags(0)
                    .build());
            var toRtr = QueuePairAttributes.builder()
                    .state(QueuePairState.RTR)
                    .addressVector(AddressVector.roce(1, index, Rxe.gid(2)))
                    .pathMtu(io.verbs4j.types.Mtu.MTU_1024)
                    .destinationQueuePairNumber(17)
                    .receivePsn(0)
                    .maxDestinationReadAtomic(1)
                    .minRnrTimer(12)
                    .build();
            assertThatThrownBy(() -> queuePair.modify(toRtr)).hasMessageContainingAll(errno, why);
        }
    }

    @Test
    void leadsOverIpv6AsWell() {
        try (
                var pair = ConnectedPair.onTheWire()
                        .both(builder -> builder.gid(GidSelector.index(0)))
                        .connect()) {
            pair.right().receive(1, 0, 5000);
            pair.left().send(2, 0, 5000);
            pair.left().completions().nextSuccess();
            pair.right().completions().nextSuccess();
        }
    }

    @Test
    void hasARangeForEachAttribute() {
        try (
                var context = Rxe.open();
                var domain = context.allocateProtectionDomain();
                var queue = context.createCompletionQueue(1)) {
            var builder = domain.reliableConnection(queue);
            for (Runnable wrong : Arrays.<Runnable>asList(
                    () -> builder.flowLabel(1 << 20),
                    () -> builder.trafficClass(256),
                    () -> builder.hopLimit(-1),
                    () -> builder.serviceLevel(16),
                    () -> builder.port(2))) {
                assertThatThrownBy(wrong::run).isInstanceOf(IllegalArgumentException.class);
            }
        }
    }
}
