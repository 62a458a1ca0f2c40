// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.datagram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.AddressHandle;
import io.verbs4j.CompletionRecord;
import io.verbs4j.GlobalRouteHeader;
import io.verbs4j.Unguarded;
import io.verbs4j.tests.support.AnyDevice.AlsoOverMlx5;
import io.verbs4j.tests.support.AnyDevice.NotOverMlx5;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.End;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tests.support.Scenario;
import io.verbs4j.tests.support.TestBytes;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.Errno;
import io.verbs4j.types.Gid;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.VerbsException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Address handles: made from addresses and from datagrams, and what keeps them from being made.
@DeviceTest
@AlsoOverMlx5
@Covers({"ibv_create_ah", "ibv_destroy_ah"})
@Needs.EachKernel
class AddressHandleIT {
    private static final int HEADER = GlobalRouteHeader.BYTES;

    private final ConnectedPair pair =
            ConnectedPair.onTheWire().transport(QueuePairType.UD).connect();
    private final End left = pair.left();
    private final End right = pair.right();

    @AfterEach
    void close() {
        pair.close();
    }

    @Test
    @Covers({"ibv_init_ah_from_wc", "ibv_create_ah_from_wc"})
    void leadsBackToTheSenderOfADatagramOverIpv4() {
        answersByNothingButTheDatagram(pair);
    }

    @Test
    @Covers({"ibv_init_ah_from_wc", "ibv_create_ah_from_wc"})
    void leadsBackToTheSenderOfADatagramOverIpv6() {
        try (var ipv6 = DatagramIT.overIpv6()) {
            answersByNothingButTheDatagram(ipv6);
        }
    }

    @Test
    @Covers({"ibv_init_ah_from_wc", "ibv_create_ah_from_wc"})
    void leadsBackToTheSenderOfADatagramOnOneDevice() {
        try (var local = ConnectedPair.onOneDevice().transport(QueuePairType.UD).connect()) {
            answersByNothingButTheDatagram(local);
        }
    }

    /// All that the right end uses is what the datagram brought.
    private static void answersByNothingButTheDatagram(ConnectedPair pair) {
        End asking = pair.left();
        End answering = pair.right();
        answering.receive(1, 0, HEADER + 64);
        asking.receive(2, 4096, HEADER + 64);
        asking.send(3, 0, 64);
        CompletionRecord received = answering.completions().nextSuccess();

        var header = GlobalRouteHeader.read(received, answering.memory().segment(), 0);
        AddressVector path = header.replyPath(answering.context(), 1);
        assertThat(path.destinationGid()).isEqualTo(asking.endpoint().gid());
        assertThat(answering.context().gid(1, path.sourceGidIndex()).gid()).isEqualTo(answering.endpoint().gid());
        try (AddressHandle back = answering.domain().createAddressHandle(header, 1)) {
            assertThat(back.path()).isEqualTo(path);
            TestBytes.fill(answering.bytes(8192, 64), 11);
            answering.post(batch -> batch.to(back, received.sourceQueuePairNumber(), ConnectedPair.QKEY)
                    .signaled()
                    .send()
                    .local(answering.memory(), 8192, 64)
                    .post());
            answering.completions().nextSuccess();
        }
        assertThat(asking.completions().nextSuccesses(2))
                .extracting(CompletionRecord::workRequestId)
                .containsExactlyInAnyOrder(2L, 3L);
        TestBytes.assertHolds(asking.bytes(4096 + HEADER, 64), 11);
    }

    @Test
    void noHeaderNoAnswer() {
        right.receive(1, 0, HEADER);
        left.send(2, 0, 0);
        CompletionRecord sent = left.completions().nextSuccess();
        CompletionRecord received = right.completions().nextSuccess();

        assertThatThrownBy(() -> GlobalRouteHeader.read(sent, left.memory().segment(), 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no global route header came with");
        assertThatThrownBy(() -> GlobalRouteHeader.read(received, right.memory().segment(), 100))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no IPv6 or IPv4 header at offset=100");
        var foreign = new GlobalRouteHeader(Rxe.gid(1), Rxe.gid(99), 0, 0, 64, true);
        assertThatThrownBy(() -> right.domain().createAddressHandle(foreign, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has no GID to reply to");
    }

    @Test
    void manyLeadToOneDestination() {
        right.receive(1, 0, HEADER);
        right.receive(2, 0, HEADER);
        try (
                var one = left.domain().createAddressHandle(left.pathToPeer().path());
                var two = left.domain().createAddressHandle(left.pathToPeer().path())) {
            for (AddressHandle handle : new AddressHandle[]{one, two}) {
                left.post(batch -> batch.to(handle, right.queuePair().number(), ConnectedPair.QKEY)
                        .send()
                        .local(left.memory(), 0, 0)
                        .post());
            }
            right.completions().nextSuccesses(2);
        }
    }

    @Test
    void keepsItsProtectionDomainOpen() {
        var domain = left.context().allocateProtectionDomain();
        var handle = domain.createAddressHandle(left.pathToPeer().path());
        assertThatThrownBy(domain::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("address handle to " + Rxe.gid(2));
        handle.close();
        handle.close();
        domain.close();
        assertThatThrownBy(() -> domain.createAddressHandle(left.pathToPeer().path()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void isRefusedByQueuePairsOfAnotherDomainAndWhenItIsClosed() {
        try (var domain = left.context().allocateProtectionDomain()) {
            var handle = domain.createAddressHandle(left.pathToPeer().path());
            assertThatThrownBy(() -> sendBy(handle))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("belongs to another protection domain than the queue pair");
            handle.close();
        }
        var closed = left.domain().createAddressHandle(left.pathToPeer().path());
        closed.close();
        assertThatThrownBy(() -> sendBy(closed))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(() -> sendBy(right.pathToPeer())).isInstanceOf(IllegalArgumentException.class);
    }

    private void sendBy(AddressHandle handle) {
        left.post(batch -> batch.to(handle, right.queuePair().number(), ConnectedPair.QKEY)
                .send()
                .local(left.memory(), 0, 8)
                .post());
    }

    /// While its send queue is drained the device takes nothing, so that the handle is closed before it is looked up.
    @Test
    @NotOverMlx5("a datagram carries its path with it")
    void staysInTheKernelUntilTheDatagramsToItAreSent() {
        var handle = left.domain().createAddressHandle(left.pathToPeer().path());
        right.receive(1, 0, HEADER + 8);
        right.receive(2, 0, HEADER + 8);
        drain();

        left.post(batch -> batch.to(handle, right.queuePair().number(), ConnectedPair.QKEY)
                .send()
                .local(left.memory(), 0, 8)
                .post());
        handle.close();
        assertThat(handle.isClosed()).isTrue();
        assertThat(Unguarded.retiredAddressHandles(left.domain())).isEqualTo(1);

        left.modify(QueuePairState.RTS);
        left.send(3, 0, 8);
        right.completions().nextSuccesses(2);
        left.completions().nextSuccess();
        left.domain().createAddressHandle(left.pathToPeer().path()).close();
        assertThat(Unguarded.retiredAddressHandles(left.domain())).isZero();
    }

    @Test
    void mayBeClosedRightAfterItsDatagramsArePosted() {
        int rounds = 100;
        for (int i = 0; i < rounds; i++) {
            right.receive(i, 0, HEADER + 8);
        }
        for (int i = 0; i < rounds; i++) {
            try (var handle = left.domain().createAddressHandle(left.pathToPeer().path())) {
                left.post(batch -> batch.to(handle, right.queuePair().number(), ConnectedPair.QKEY)
                        .send()
                        .local(left.memory(), 0, 8)
                        .post());
            }
        }
        right.completions().nextSuccesses(rounds);
        assertThat(left.queuePair().query().state()).isEqualTo(QueuePairState.RTS);
    }

    @Test
    void mayBeClosedBeforeTheBatchThatNamesItIsSubmitted() {
        right.receive(1, 0, HEADER + 8);
        var handle = left.domain().createAddressHandle(left.pathToPeer().path());
        try (var batch = left.queuePair().beginSend()) {
            batch.to(handle, right.queuePair().number(), ConnectedPair.QKEY)
                    .signaled()
                    .send()
                    .local(left.memory(), 0, 8)
                    .post();
            handle.close();
            assertThatThrownBy(() -> batch.to(handle, right.queuePair().number(), ConnectedPair.QKEY)
                    .send()
                    .local(left.memory(), 0, 8)
                    .post()).hasMessage(handle + " is closed");
            batch.submit();
        }
        right.completions().nextSuccess();
        left.completions().nextSuccess();
    }

    @Test
    void mayBeClosedWhileAnotherThreadHasABatch() throws Exception {
        right.receive(1, 0, HEADER + 8);
        var handle = left.domain().createAddressHandle(left.pathToPeer().path());
        try (var batch = left.queuePair().beginSend()) {
            batch.to(handle, right.queuePair().number(), ConnectedPair.QKEY)
                    .signaled()
                    .send()
                    .local(left.memory(), 0, 8)
                    .post();
            InThread.PLATFORM.get(() -> {
                handle.close();
                return true;
            });
            batch.submit();
        }
        right.completions().nextSuccess();
        left.completions().nextSuccess();
    }

    @Test
    @Scenario("test_addr.AHTest.test_destroy_ah")
    void closesWithoutDelayWhenNoDatagramNamesIt() {
        left.domain().createAddressHandle(left.pathToPeer().path()).close();
        assertThat(Unguarded.retiredAddressHandles(left.domain())).isZero();
    }

    /// `rxe_get_av` (rxe_av.c) looks handles up by number when the datagram is sent.
    @Test
    @NotOverMlx5("a datagram carries its path with it")
    void endsTheQueuePairIfTheKernelLosesItBeforeTheDatagramIsSentOnRxe() {
        drain();
        Unguarded.sendAndDestroyAddressHandle(
                left.queuePair(), left.pathToPeer().path(), right.queuePair().number(), ConnectedPair.QKEY);

        left.modify(QueuePairState.RTS);
        left.send(3, 0, 8);

        assertThat(left.completions().next().isSuccess()).isFalse();
        assertThat(left.queuePair().query().state()).isEqualTo(QueuePairState.ERR);
    }

    private void drain() {
        left.modify(QueuePairState.SQD);
        Eventually.until(() -> !left.queuePair().query().sendQueueDraining(), () -> "still draining");
    }

    @Test
    void refusesAPortThatDoesNotExist() {
        assertThatThrownBy(() -> AddressVector.roce(0, 1, Rxe.gid(2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("port=0");
        assertThatThrownBy(() -> left.domain().createAddressHandle(AddressVector.roce(2, 1, Rxe.gid(2))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("port=2");
    }

    @Test
    void needsASourceGid() {
        assertRefused(AddressVector.roce(1, 200, Rxe.gid(2)), Errno.ENODATA, "an empty slot of the GID table");
        assertThatThrownBy(() -> AddressVector.roce(1, 256, Rxe.gid(2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("sourceGidIndex=256");
    }

    @Test
    @Scenario("test_addr.AHTest.test_create_ah_roce")
    void needsSourceAndDestinationOfOneFamily() {
        Gid linkLocal = right.context().gid(1, 0).gid();
        assertRefused(
                AddressVector.roce(1, Rxe.IPV4_INDEX, linkLocal),
                Errno.EINVAL,
                "source and destination of different IP families");
    }

    @Test
    void needsADestinationThatAnswers() {
        assertRefused(
                AddressVector.roce(1, Rxe.IPV4_INDEX, Rxe.gid(77)), Errno.ETIMEDOUT,
                "could not be resolved within a second");
    }

    /// The source GID names the interface; what no route leads to over it counts as being on the wire in IPv4.
    @Test
    void needsARoute() throws UnknownHostException {
        assertRefused(
                AddressVector.roce(1, Rxe.IPV4_INDEX, Gid.of(InetAddress.getByName("192.0.2.1"))),
                Errno.ETIMEDOUT,
                "could not be resolved within a second");
        assertRefused(
                AddressVector.roce(1, 0, Gid.of(InetAddress.getByName("2001:db8::1"))),
                Errno.ENETUNREACH,
                "no route to the destination GID");
    }

    private void assertRefused(AddressVector path, int errno, String why) {
        assertThatThrownBy(() -> left.domain().createAddressHandle(path))
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno))
                .hasMessageContainingAll("create address handle", why);
    }
}
