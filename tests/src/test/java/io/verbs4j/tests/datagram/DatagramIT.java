// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.datagram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.CompletionRecord;
import io.verbs4j.GidSelector;
import io.verbs4j.GlobalRouteHeader;
import io.verbs4j.RemoteMemory;
import io.verbs4j.tests.support.AnyDevice.AlsoOverMlx5;
import io.verbs4j.tests.support.AnyDevice.NotOverMlx5;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.End;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tests.support.Scenario;
import io.verbs4j.tests.support.TestBytes;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.CompletionOpcode;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.QueuePairAttribute;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.ScatterGatherList;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Datagrams: what stands in front of them, what their completions say, and what is lost.
@DeviceTest
@AlsoOverMlx5
@Covers({
        "ibv_create_qp",
        "ibv_modify_qp",
        "ibv_create_ah",
        "ibv_destroy_ah",
        "ibv_post_send",
        "ibv_post_recv",
        "ibv_poll_cq",
        "ibv_wr_set_ud_addr",
        "ibv_wc_read_src_qp",
        "ibv_wc_read_wc_flags"
})
@Needs.EachKernel
class DatagramIT {
    private static final int HEADER = GlobalRouteHeader.BYTES;
    /// Holds what the wire's MTU of 1500 bytes leaves of a packet.
    private static final int MTU = 1024;

    private final ConnectedPair pair = ConnectedPair.onTheWire()
            .transport(QueuePairType.UD)
            .both(builder -> builder.maxInlineData(256))
            .connect();
    private final End left = pair.left();
    private final End right = pair.right();

    @AfterEach
    void close() {
        pair.close();
    }

    @Test
    @Covers("ibv_wr_set_ud_addr")
    void goesWhereTheEndpointSays() {
        right.receive(1, 0, HEADER + 8);
        left.post(batch -> batch.to(left.pathToPeer(), right.endpoint())
                .signaled()
                .send()
                .local(left.memory().slice(0, 8))
                .post());
        right.completions().nextSuccess();
        left.completions().nextSuccess();
    }

    @ParameterizedTest
    @Scenario({
            "test_qpex.QpExTestCase.test_qp_ex_ud_send",
            "test_qpex.QpExTestCase.test_qp_ex_ud_zero_size"
    })
    @ValueSource(ints = {0, 1, 3, 100, 1023, MTU})
    void carriesEveryByteBehindTheHeader(int length) {
        TestBytes.fill(left.bytes(0, length), length);
        right.receive(1, 0, HEADER + length);
        left.send(2, 0, length);

        CompletionRecord received = right.completions().nextSuccess();
        assertThat(received.workRequestId()).isEqualTo(1);
        assertThat(received.opcode()).isEqualTo(CompletionOpcode.RECEIVE);
        assertThat(received.byteLength()).isEqualTo(HEADER + length);
        assertThat(received.queuePairNumber()).isEqualTo(right.queuePair().number());
        assertThat(received.sourceQueuePairNumber()).isEqualTo(left.queuePair().number());
        assertThat(received.hasGlobalRouteHeader()).isTrue();
        assertThat(received.hasImmediateData()).isFalse();
        TestBytes.assertHolds(right.bytes(HEADER, length), length);

        CompletionRecord sent = left.completions().nextSuccess();
        assertThat(sent.workRequestId()).isEqualTo(2);
        assertThat(sent.opcode()).isEqualTo(CompletionOpcode.SEND);
    }

    @Test
    void headerOfIpv4FillsTheLastTwentyBytes() {
        TestBytes.fill(right.bytes(0, HEADER), 1);
        right.receive(1, 0, HEADER + 8);
        left.send(2, 0, 8);
        CompletionRecord received = right.completions().nextSuccess();

        assertThat(right.bytes(0, 20).toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
        assertThat(right.bytes(20, 1).get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 0x45);
        var header = GlobalRouteHeader.read(received, right.memory().segment(), 0);
        assertThat(header.sourceGid()).isEqualTo(Rxe.gid(1));
        assertThat(header.destinationGid()).isEqualTo(Rxe.gid(2));
        assertThat(header.overUdp()).isTrue();
        assertThat(header.hopLimit()).isPositive();
        assertThat(header.trafficClass()).isZero();
        left.completions().nextSuccess();
    }

    @Test
    void headerOfIpv6FillsAllFortyBytes() {
        try (var ipv6 = overIpv6()) {
            ipv6.right().receive(1, 0, HEADER + 8);
            ipv6.left().send(2, 0, 8);
            CompletionRecord received = ipv6.right().completions().nextSuccess();

            assertThat(ipv6.right().bytes(0, 1).get(ValueLayout.JAVA_BYTE, 0) & 0xf0).isEqualTo(0x60);
            var header = GlobalRouteHeader.read(received, ipv6.right().memory().segment(), 0);
            assertThat(header.sourceGid()).isEqualTo(ipv6.left().endpoint().gid());
            assertThat(header.destinationGid()).isEqualTo(ipv6.right().endpoint().gid());
            assertThat(header.sourceGid().isLinkLocal()).isTrue();
            assertThat(header.overUdp()).isTrue();
            assertThat(received.sourceQueuePairNumber()).isEqualTo(ipv6.left().queuePair().number());
        }
    }

    static ConnectedPair overIpv6() {
        return ConnectedPair.onTheWire()
                .transport(QueuePairType.UD)
                .both(builder -> builder.gid(GidSelector.index(0)))
                .connect();
    }

    /// rxe sends no flow label, and takes the hop limit from the route.
    @Test
    void headerShowsTheTrafficClassOfThePath() {
        var path = left.pathToPeer().path().withTrafficClass(0x68).withFlowLabel(0x12345).withHopLimit(3);
        try (var handle = left.domain().createAddressHandle(path)) {
            right.receive(1, 0, HEADER);
            left.post(batch -> batch.to(handle, right.queuePair().number(), ConnectedPair.QKEY)
                    .send()
                    .inline(MemorySegment.ofArray(new byte[0]))
                    .post());
            var received = right.completions().nextSuccess();
            var header = GlobalRouteHeader.read(received, right.memory().segment(), 0);

            assertThat(header.trafficClass()).isEqualTo(0x68);
            assertThat(header.flowLabel()).isZero();
            assertThat(header.hopLimit()).isEqualTo(64);
        }
    }

    @Test
    void goesBetweenQueuePairsOfOneDeviceAndToItself() {
        try (var local = ConnectedPair.onOneDevice().transport(QueuePairType.UD).connect()) {
            End end = local.left();
            TestBytes.fill(end.bytes(0, 100), 4);
            local.right().receive(1, 0, HEADER + 100);
            end.receive(2, 4096, HEADER + 100);
            end.send(3, 0, 100);
            end.post(batch -> batch.to(end.pathToPeer(), end.queuePair().number(), ConnectedPair.QKEY)
                    .send()
                    .local(end.memory(), 0, 100)
                    .post());

            CompletionRecord received = local.right().completions().nextSuccess();
            TestBytes.assertHolds(local.right().bytes(HEADER, 100), 4);
            assertThat(GlobalRouteHeader.read(received, local.right().memory().segment(), 0).sourceGid())
                    .isEqualTo(Rxe.gid(1));
            assertThat(end.completions().nextSuccesses(2))
                    .extracting(CompletionRecord::workRequestId)
                    .containsExactlyInAnyOrder(2L, 3L);
            TestBytes.assertHolds(end.bytes(4096 + HEADER, 100), 4);
        }
    }

    @Test
    @Scenario("test_qpex.QpExTestCase.test_qp_ex_ud_send_imm")
    void carriesImmediateDataAndInlineData() {
        byte[] array = TestBytes.of(5, 256);
        right.receive(1, 0, 1024);
        right.receive(2, 1024, 1024);
        left.post(
                batch -> left.toPeer(batch).signaled().send().immediate(0x01020304).local(left.memory(), 0, 10).post(),
                batch -> left.toPeer(batch)
                        .signaled()
                        .send()
                        .immediate(-1)
                        .inline(MemorySegment.ofArray(array))
                        .post());

        var received = right.completions().nextSuccesses(2);
        assertThat(received).allMatch(CompletionRecord::hasImmediateData);
        assertThat(received).extracting(CompletionRecord::immediateDataOrKey).containsExactly(0x01020304, -1);
        TestBytes.assertHolds(right.bytes(1024 + HEADER, 256), 5);
        left.completions().nextSuccesses(2);
    }

    @Test
    void gathersTheMessageAndScattersHeaderAndMessage() {
        byte[] message = TestBytes.of(6, 300);
        left.bytes(0, 300).copyFrom(MemorySegment.ofArray(message));
        int fromKey = left.memory().localKey();
        int toKey = right.memory().localKey();
        long to = right.memory().address();
        var gathered = new ScatterGatherList()
                .add(left.memory().address(), 100, fromKey)
                .add(left.memory().address() + 100, 200, fromKey);
        var scattered = new ScatterGatherList().add(to, HEADER, toKey).add(to + 4096, 300, toKey);
        right.postReceives(batch -> batch.receive(scattered));
        left.post(batch -> left.toPeer(batch).send().local(gathered).post());

        assertThat(right.completions().nextSuccess().byteLength()).isEqualTo(HEADER + 300);
        assertThat(GlobalRouteHeader.read(right.memory().segment(), 0).sourceGid()).isEqualTo(Rxe.gid(1));
        TestBytes.assertSame(right.bytes(4096, 300), message);
    }

    @Test
    void oneQueuePairSendsToMany() {
        try (
                var other = ConnectedPair.onTheWire()
                        .transport(QueuePairType.UD)
                        .both(builder -> builder.qkey(0x22222222))
                        .connect()) {
            End second = other.right();
            right.receive(1, 0, 100);
            second.receive(2, 0, 100);
            left.post(
                    batch -> batch.to(left.pathToPeer(), second.queuePair().number(), 0x22222222)
                            .send()
                            .local(left.memory(), 0, 2)
                            .post(),
                    batch -> left.toPeer(batch).send().local(left.memory(), 0, 1).post());

            assertThat(right.completions().nextSuccess().byteLength()).isEqualTo(HEADER + 1);
            assertThat(second.completions().nextSuccess().byteLength()).isEqualTo(HEADER + 2);
        }
    }

    @Test
    void dropsDatagramsWithAnotherQkeyAndCountsThem() {
        int before = right.context().port(1).qkeyViolationCounter();
        left.post(batch -> batch.to(left.pathToPeer(), right.queuePair().number(), ConnectedPair.QKEY + 1)
                .signaled()
                .send()
                .local(left.memory(), 0, 1)
                .post());
        assertThat(arrivesNext()).isEqualTo(HEADER + 2);

        assertThat(left.completions().nextSuccess().status()).isEqualTo(CompletionStatus.SUCCESS);
        assertThat(right.context().port(1).qkeyViolationCounter()).isEqualTo(before + 1);
    }

    @Test
    void dropsDatagramsToANumberThatNoQueuePairHas() {
        left.post(batch -> batch.to(left.pathToPeer(), 0xabcdef, ConnectedPair.QKEY)
                .signaled()
                .send()
                .local(left.memory(), 0, 1)
                .post());
        assertThat(arrivesNext()).isEqualTo(HEADER + 2);
        left.completions().nextSuccess();
    }

    @Test
    void dropsWhatFindsNoReceive() throws InterruptedException {
        long before = receivedPackets();
        left.send(1, 0, 1);
        left.completions().nextSuccess();
        Eventually.until(() -> receivedPackets() > before, () -> "the datagram does not arrive");
        Thread.sleep(Duration.ofMillis(200)); // it is counted before it looks for a receive
        assertThat(arrivesNext()).isEqualTo(HEADER + 2);
    }

    private long receivedPackets() {
        return right.context().hardwareCounters(1).values().get("rcvd_pkts");
    }

    /// Posts a receive and sends 2 bytes.
    ///
    /// @return length of the next received datagram
    private int arrivesNext() {
        right.receive(1, 0, 100);
        left.post(batch -> left.toPeer(batch).send().local(left.memory(), 0, 2).post());
        int length = right.completions().nextSuccess().byteLength();
        right.completions().assertNone();
        return length;
    }

    @Test
    void needsRoomForHeaderAndMessage() {
        right.receive(1, 0, HEADER + 9);
        left.send(2, 0, 10);
        left.completions().nextSuccess();

        if (!Kernel.dropsLongDatagrams()) {
            CompletionRecord failed = right.completions().next();
            assertThat(failed.workRequestId()).isEqualTo(1);
            assertThat(failed.status()).isEqualTo(CompletionStatus.LOCAL_QP_OPERATION_ERROR);
            assertThat(right.queuePair().query(QueuePairAttribute.STATE).state()).isEqualTo(QueuePairState.ERR);
        } else {
            left.send(3, 0, 9);
            assertThat(right.completions().nextSuccess().workRequestId()).isEqualTo(1);
            right.completions().assertNone();
        }
    }

    @Test
    @NotOverMlx5("the card refuses a datagram that is longer than the path's MTU, and the provider does not")
    void refusesAMessageThatIsLongerThanAPacket() {
        assertThatThrownBy(() -> left.send(1, 0, MTU + 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("length=1025 is not in 0..1024, the port's MTU; rxe would drop it and report success");
    }

    @Test
    void refusesAllOperationsButSends() {
        var remote = new RemoteMemory(0, 8, 0);
        for (End.Send operation : List.<End.Send>of(
                batch -> batch.write().local(left.memory(), 0, 8).remote(remote).post(),
                batch -> batch.write().immediate(1).local(left.memory(), 0, 8).remote(remote).post(),
                batch -> batch.read().local(left.memory(), 0, 8).remote(remote).post(),
                batch -> batch.fetchAndAdd(1).local(left.memory(), 0, Long.BYTES).remote(remote).post(),
                batch -> batch.invalidate(1).post())) {
            assertThatThrownBy(() -> left.post(operation))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is a datagram queue pair: it can only send");
        }
        assertThatThrownBy(() -> left.post(batch -> left.toPeer(batch)
                .send()
                .invalidating(1)
                .local(left.memory(), 0, 8)
                .post()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("SEND_WITH_INVALIDATE");
        assertThat(arrivesNext()).isEqualTo(HEADER + 2);
    }

    @Test
    void refusesASendWithoutDestinationAndNumbersThatAreTooLarge() {
        assertThatThrownBy(() -> left.post(batch -> batch.send().local(left.memory(), 0, 8).post()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("needs a destination");
        assertThatThrownBy(() -> left.post(batch -> batch.to(left.pathToPeer(), 1 << 24, 0)
                .send()
                .local(left.memory(), 0, 8)
                .post()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("remoteQueuePair=0x1000000");
    }

    @Test
    void connectedQueuePairsTakeNoDestination() {
        try (var connected = ConnectedPair.onOneDevice().connect()) {
            assertThatThrownBy(() -> connected.left()
                    .post(
                            batch -> batch.to(left.pathToPeer(), 1, 1)
                                    .send()
                                    .local(connected.left().memory(), 0, 8)
                                    .post()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("only datagrams have a destination each");
        }
    }

    @Test
    @Scenario({
            "test_qp.QPTest.test_create_ud_qp_ex_with_attr",
            "test_qp.QPTest.test_create_ud_qp_with_attr"
    })
    void startsWithoutAPeer() {
        try (var prepared = left.domain().datagram(left.queue()).prepare()) {
            assertThatThrownBy(() -> prepared.connect(right.endpoint()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("use start()");
            try (var queuePair = prepared.start()) {
                assertThat(queuePair.query().state()).isEqualTo(QueuePairState.RTS);
                assertThat(queuePair.query().qkey()).isEqualTo(ConnectedPair.QKEY);
            }
        }
    }

    @Test
    void changesItsQkeyWhileItWorks() {
        right.queuePair()
                .modify(QueuePairAttributes.builder()
                        .state(QueuePairState.RTS)
                        .qkey(0x777)
                        .build());
        right.receive(1, 0, 100);
        left.send(2, 0, 1);
        left.post(batch -> batch.to(left.pathToPeer(), right.queuePair().number(), 0x777)
                .send()
                .local(left.memory(), 0, 2)
                .post());

        assertThat(right.completions().nextSuccess().byteLength()).isEqualTo(HEADER + 2);
    }

    /// InfiniBand would send the sender's own Q_Key instead (IBA vol. 1, 10.2.4.3); rxe sends what the work request
    /// says.
    @Test
    @Scenario("test_qp.QPTest.test_create_ud_qp_with_privileged_qkey")
    void sendsAPrivilegedQkeyAsItIs() {
        int privileged = 0x80000123;
        try (
                var root = ConnectedPair.onTheWire()
                        .transport(QueuePairType.UD)
                        .right(builder -> builder.qkey(privileged))
                        .connect()) {
            root.right().receive(1, 0, 100);
            root.left()
                    .post(
                            batch -> root.left().toPeer(batch).send().local(root.left().memory(), 0, 1).post(),
                            batch -> batch.to(root.left().pathToPeer(), root.right().queuePair().number(), privileged)
                                    .send()
                                    .local(root.left().memory(), 0, 2)
                                    .post());

            assertThat(root.right().completions().nextSuccess().byteLength()).isEqualTo(HEADER + 2);
        }
    }

    @Test
    void arrivesOnlyAfterTheReceiverIsReadyToReceive() {
        try (
                var late = right.domain().datagram(right.queue()).prepare()) {
            int number = late.endpoint().queuePairNumber();
            try (var batch = late.beginReceive()) {
                batch.workRequestId(5).receive(right.memory(), 0, 100);
                batch.submit();
            }
            left.post(batch -> batch.to(left.pathToPeer(), number, ConnectedPair.QKEY)
                    .signaled()
                    .send()
                    .local(left.memory(), 0, 1)
                    .post());
            left.completions().nextSuccess();
            assertThat(arrivesNext()).isEqualTo(HEADER + 2); // so the one before has been dropped by now
            try (var queuePair = late.start()) {
                left.post(batch -> batch.to(left.pathToPeer(), queuePair.number(), ConnectedPair.QKEY)
                        .send()
                        .local(left.memory(), 0, 3)
                        .post());
                CompletionRecord received = right.completions().nextSuccess();
                assertThat(received.workRequestId()).isEqualTo(5);
                assertThat(received.byteLength()).isEqualTo(HEADER + 3);
            }
        }
    }

    @Test
    void staysInOrderOnTheWire() {
        for (int id = 0; id < 50; id++) {
            right.receive(id, 64L * id, 64);
        }
        var sends = new End.Send[50];
        for (int id = 0; id < sends.length; id++) {
            int number = id;
            sends[id] = batch -> left.toPeer(batch)
                    .signaled()
                    .send()
                    .immediate(number)
                    .inline(MemorySegment.ofArray(TestBytes.of(number, 8)))
                    .post();
        }
        left.post(sends);

        left.completions().nextSuccesses(50);
        assertThat(right.completions().nextSuccesses(50))
                .allMatch(completion -> completion.workRequestId() == completion.immediateDataOrKey());
        for (int id = 0; id < 50; id++) {
            TestBytes.assertHolds(right.bytes(64L * id + HEADER, 8), id);
        }
    }

    /// The interface's MTU decides. A change of it is noticed at the next change of the queue pair's state.
    @RealKernel("the ip command changes the MTU")
    @Test
    void followsTheMtuOfTheInterface() {
        assertThatThrownBy(() -> left.send(1, 0, 4096)).hasMessageContaining("is not in 0..1024, the port's MTU");
        Rxe.withMtu(4500, () -> {
            Eventually.until(
                    () -> left.context().port(1).activeMtu().bytes() == 4096, () -> "the port's MTU does not follow");
            left.modify(QueuePairState.RTS);
            left.send(2, 0, 4096);
            left.completions().nextSuccess();
        });
    }

    @Test
    @Scenario("test_addr.AHTest.test_create_ah")
    void pathKeepsWhatItWasMadeOf() {
        AddressVector path = left.pathToPeer().path();
        assertThat(path.destinationGid()).isEqualTo(Rxe.gid(2));
        assertThat(path.sourceGidIndex()).isEqualTo(Rxe.IPV4_INDEX);
        assertThat(left.pathToPeer()).hasToString("address handle to " + Rxe.gid(2));
    }
}
