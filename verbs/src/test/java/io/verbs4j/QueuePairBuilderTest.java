// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.types.Access;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.Gid;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.QueuePairAttribute;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairType;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The values that queue pairs have in the kernel: the documented defaults, and one changed value after each call of
/// the builder.
class QueuePairBuilderTest {
    private static final int PSN = 0x123456;

    private final SimulatedNetwork network = SimulatedNetwork.inRealTime();
    private final Context context;
    private final ProtectionDomain domain;
    private final CompletionQueue queue;
    private final CompletionQueue other;
    private final SharedReceiveQueue shared;

    QueuePairBuilderTest() {
        var host = network.addHost("here", KernelProfile.LINUX_7_2);
        host.addDevice("rxe0");
        context = Devices.of(host).getFirst().open();
        domain = context.allocateProtectionDomain();
        queue = context.createCompletionQueue(1);
        other = context.createCompletionQueue(1);
        shared = domain.createSharedReceiveQueue(8, 2);
    }

    @AfterEach
    void close() {
        context.close();
        network.close();
    }

    /// Returns the values of a queue pair that is connected to a peer with this end's address.
    private Map<String, @Nullable Object> values(QueuePairType type, UnaryOperator<QueuePairBuilder> change) {
        try (var prepared = change.apply(domain.queuePair(type, queue).packetSequenceNumber(PSN)).prepare()) {
            QueuePairEndpoint own = prepared.endpoint();
            var peer = new QueuePairEndpoint(77, 78, own.gid(), 79, Mtu.MTU_4096, 80, own.gidIndex());
            var values = new LinkedHashMap<String, @Nullable Object>();
            values.put("endpoint",
                    own.packetSequenceNumber() + " " + own.mtu() + " " + Integer.toHexString(own.qkey()));
            values.put("gid", own.gid());
            try (QueuePair made = type == QueuePairType.UD ? prepared.start() : prepared.connect(peer)) {
                assertThat(own.queuePairNumber()).isEqualTo(made.number());
                values.put("sends to", made.sendCompletionQueue());
                values.put("receives to", made.receiveCompletionQueue());
                values.put("shared", made.sharedReceiveQueue());
                values.put("type", made.type());
                var room = made.capabilities();
                values.put("sends", room.maxSendWorkRequests());
                values.put("receives", room.maxReceiveWorkRequests());
                values.put("send elements", room.maxSendScatterGather());
                values.put("receive elements", room.maxReceiveScatterGather());
                values.put("inline", room.maxInlineData());
                addAttributes(values, type, made.query(QueuePairAttribute.values()));
            }
            return values;
        }
    }

    private static void addAttributes(
            Map<String, @Nullable Object> values, QueuePairType type, QueuePairAttributes attributes) {
        values.put("state", attributes.state());
        values.put("port", attributes.port());
        values.put("send PSN", attributes.sendPsn());
        if (type == QueuePairType.UD) {
            values.put("qkey", Integer.toHexString(attributes.qkey()));
            return;
        }
        values.put("receive PSN", attributes.receivePsn());
        values.put("peer", attributes.destinationQueuePairNumber());
        values.put("MTU", attributes.pathMtu());
        values.put("access", Access.of(attributes.accessFlags()));
        AddressVector path = Objects.requireNonNull(attributes.addressVector());
        values.put("path",
                "to " + path.destinationGid().toInetAddress().getHostAddress() + " from " + path.sourceGidIndex());
        values.put("hop limit", path.hopLimit());
        values.put("traffic class", path.trafficClass());
        values.put("flow label", path.flowLabel());
        values.put("timeout", attributes.timeout());
        values.put("retries", attributes.retryCount());
        values.put("RNR retries", attributes.rnrRetry());
        values.put("RNR timer", attributes.minRnrTimer());
        values.put("reads", attributes.maxReadAtomic() + " " + attributes.maxDestinationReadAtomic());
    }

    private static final String OF_ALL =
            "endpoint=1193046 MTU_1024 11111111, gid=0000:0000:0000:0000:0000:ffff:0a09:0001, sends to=completion queue 1,"
                    + " receives to=completion queue 1, shared=null, type=%s, sends=255, receives=255, send elements=4,"
                    + " receive elements=4, inline=64, state=RTS, port=1, send PSN=1193046";
    private static final String OF_CONNECTIONS = ", receive PSN=78, peer=77, MTU=MTU_1024,"
            + " access=[REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC], path=to 10.9.0.1 from 1, hop limit=64,"
            + " traffic class=0, flow label=0";

    @Test
    void defaultsAreThoseOfTheDocumentation() {
        assertThat(values(QueuePairType.RC, builder -> builder)).hasToString(
                "{" + OF_ALL.formatted("RC") + OF_CONNECTIONS
                        + ", timeout=14, retries=6, RNR retries=7, RNR timer=12, reads=16 16}");
        assertThat(values(QueuePairType.UC, builder -> builder)).hasToString(
                "{" + OF_ALL.formatted("UC") + OF_CONNECTIONS
                        + ", timeout=0, retries=0, RNR retries=0, RNR timer=0, reads=0 0}");
        assertThat(values(QueuePairType.UD, builder -> builder)).hasToString(
                "{" + OF_ALL.formatted("UD") + ", qkey=11111111}");
    }

    private void assertChanges(QueuePairType type, UnaryOperator<QueuePairBuilder> change,
            Map<String, Object> changes) {
        var expected = new LinkedHashMap<>(values(type, builder -> builder));
        assertThat(expected.keySet()).containsAll(changes.keySet());
        expected.putAll(changes);
        assertThat(values(type, change)).isEqualTo(expected);
    }

    private void assertChanges(UnaryOperator<QueuePairBuilder> change, Map<String, Object> changes) {
        assertChanges(QueuePairType.RC, change, changes);
    }

    @Test
    void eachCallChangesItsValueOnly() {
        assertChanges(builder -> builder.sendCompletionQueue(other), Map.of("sends to", other));
        assertChanges(builder -> builder.receiveCompletionQueue(other), Map.of("receives to", other));
        assertChanges(
                builder -> builder.sharedReceiveQueue(shared),
                Map.of("shared", shared, "receives", 0, "receive elements", 0));
        assertChanges(builder -> builder.maxSends(300), Map.of("sends", 511));
        assertChanges(builder -> builder.maxReceives(300), Map.of("receives", 511));
        assertChanges(builder -> builder.maxSendScatterGather(7), Map.of("send elements", 7, "inline", 112));
        assertChanges(builder -> builder.maxReceiveScatterGather(9), Map.of("receive elements", 9));
        assertChanges(builder -> builder.maxInlineData(200), Map.of("inline", 200, "send elements", 12));
        assertChanges(
                builder -> builder.gid(GidSelector.index(0)),
                Map.of("gid", Gid.parse("fe80:0000:0000:0000:0000:00ff:fe00:0001"), "path",
                        "to fe80:0:0:0:0:ff:fe00:1 from 0"));
        assertChanges(
                builder -> builder.pathMtu(Mtu.MTU_512),
                Map.of("endpoint", "1193046 MTU_512 11111111", "MTU", Mtu.MTU_512));
        assertChanges(
                builder -> builder.packetSequenceNumber(5),
                Map.of("endpoint", "5 MTU_1024 11111111", "send PSN", 5));
        assertChanges(builder -> builder.access(Access.LOCAL_WRITE), Map.of("access", Set.of(Access.LOCAL_WRITE)));
        assertChanges(
                builder -> builder.access(Access.mask(Access.LOCAL_WRITE, Access.REMOTE_WRITE)),
                Map.of("access", Set.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE)));
        assertChanges(builder -> builder.timeout(9), Map.of("timeout", 9));
        assertChanges(builder -> builder.retryCount(2), Map.of("retries", 2));
        assertChanges(builder -> builder.rnrRetry(3), Map.of("RNR retries", 3));
        assertChanges(builder -> builder.minRnrTimer(4), Map.of("RNR timer", 4));
        assertChanges(builder -> builder.readAtomic(8), Map.of("reads", "8 8"));
        assertChanges(builder -> builder.trafficClass(11), Map.of("traffic class", 11));
        assertChanges(builder -> builder.flowLabel(12), Map.of("flow label", 12));
        assertChanges(builder -> builder.qkey(14), Map.of("endpoint", "1193046 MTU_1024 e"));
        assertChanges(builder -> builder.port(1).singleThreaded().signalAll(), Map.of());
        assertChanges(
                QueuePairType.UD, builder -> builder.qkey(14),
                Map.of("endpoint", "1193046 MTU_1024 e", "qkey", "e"));
    }

    @Test
    void aPreparedQueuePairKeepsItsValues() {
        QueuePairBuilder builder =
                domain.reliableConnection(queue).packetSequenceNumber(1).flowLabel(2).readAtomic(4).timeout(3);
        try (var prepared = builder.prepare()) {
            builder.packetSequenceNumber(5).flowLabel(6).readAtomic(8).timeout(7);
            try (QueuePair connected = prepared.connect(prepared.endpoint())) {
                var attributes = connected.query();
                assertThat(attributes.sendPsn()).isEqualTo(prepared.endpoint().packetSequenceNumber());
                assertThat(Objects.requireNonNull(attributes.addressVector()).flowLabel()).isEqualTo(2);
                assertThat(attributes.maxDestinationReadAtomic()).isEqualTo(4);
                assertThat(attributes.timeout()).isEqualTo(3);
            }
        }
    }
}
