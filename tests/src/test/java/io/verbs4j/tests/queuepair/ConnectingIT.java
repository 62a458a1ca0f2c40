// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.queuepair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.GidSelector;
import io.verbs4j.MemoryWindow;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.QueuePairEndpoint;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.types.Access;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.Errno;
import io.verbs4j.types.Gid;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.StandardAttributes;
import io.verbs4j.types.VerbsException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// From a description to a connection: prepare, exchange endpoints, connect.
@DeviceTest
@Needs.EachKernel
class ConnectingIT {
    private final Context context = Rxe.open();
    private final ProtectionDomain domain = context.allocateProtectionDomain();
    private final CompletionQueue queue = context.createCompletionQueue(16);

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    void preparedCanReceiveAndKnowsItsAddress() {
        try (
                var prepared =
                        domain.reliableConnection(queue).packetSequenceNumber(0xabcdef).prepare()) {
            var endpoint = prepared.endpoint();
            assertThat(endpoint.packetSequenceNumber()).isEqualTo(0xabcdef);
            assertThat(endpoint.gid()).isEqualTo(Rxe.gid(1));
            assertThat(endpoint.lid()).isZero();
            assertThat(endpoint.mtu()).isEqualTo(context.port(1).activeMtu());
            assertThat(QueuePairEndpoint.parse(endpoint.toString())).isEqualTo(endpoint);
            assertThat(endpoint.qkey()).isEqualTo(StandardAttributes.QKEY);
            assertThat(endpoint.gidIndex()).isEqualTo(Rxe.IPV4_INDEX);
            var ofAnOlderPeer = endpoint.toString().substring(0, endpoint.toString().indexOf("/11111111"));
            assertThat(QueuePairEndpoint.parse(ofAnOlderPeer).gid()).isEqualTo(endpoint.gid());
            assertThat(prepared.gidSelection().entry()).isEqualTo(context.gid(1, Rxe.IPV4_INDEX));
            try (var batch = prepared.beginReceive()) {
                assertThat(batch.post(0, 0, 0)).isTrue();
                assertThat(batch.submit()).isEqualTo(1);
            }
        }
    }

    @Test
    @Covers("ibv_modify_qp")
    void aQueuePairThatIsWalkedByHandNeedsNothingButTheStandardAttributes() throws InterruptedException {
        var memory = domain.allocate(64, Access.LOCAL_WRITE);
        for (QueuePairType type : new QueuePairType[]{QueuePairType.RC, QueuePairType.UC, QueuePairType.UD}) {
            try (var queuePair = domain.queuePair(type, queue).create()) {
                queuePair.modify(StandardAttributes.init(type).build());
                var path = AddressVector.roce(1, Rxe.IPV4_INDEX, Rxe.gid(1));
                queuePair.modify((type == QueuePairType.UD
                        ? StandardAttributes.readyToReceive()
                        : StandardAttributes.readyToReceive(type, path, Mtu.MTU_1024, queuePair.number(), 5)).build());
                queuePair.modify(StandardAttributes.readyToSend(type, 5).build());
                try (var batch = queuePair.beginReceive()) {
                    batch.receive(memory, 0, 64);
                    batch.submit();
                }
                try (var handle = domain.createAddressHandle(path); var batch = queuePair.beginSend()) {
                    if (type == QueuePairType.UD) {
                        batch.to(handle, queuePair.number(), StandardAttributes.QKEY);
                    }
                    batch.send().local(memory, 0, 8).post();
                    batch.submit();
                }
                assertThat(queue.poll(2, completion -> assertThat(completion.isSuccess()).isTrue(), Eventually.LIMIT))
                        .isEqualTo(1);
            }
        }
    }

    @Test
    void objectsKnowWhatTheyBelongTo() {
        var other = context.createCompletionQueue(1);
        var shared = domain.createSharedReceiveQueue(1, 1);
        var queuePair =
                domain.reliableConnection(queue).receiveCompletionQueue(other).sharedReceiveQueue(shared).create();
        assertThat(queuePair.sendCompletionQueue()).isSameAs(queue);
        assertThat(queuePair.receiveCompletionQueue()).isSameAs(other);
        assertThat(queuePair.protectionDomain()).isSameAs(domain);
        assertThat(shared.protectionDomain()).isSameAs(domain);
        assertThat(other.context()).isSameAs(context);
        assertThat(context.createCompletionChannel().context()).isSameAs(context);
        assertThat(domain.allocateMemoryWindow(MemoryWindow.Type.TYPE_1).protectionDomain()).isSameAs(domain);
        assertThat(domain.createAddressHandle(AddressVector.roce(1, Rxe.IPV4_INDEX, Rxe.gid(1))).protectionDomain())
                .isSameAs(domain);
    }

    @Test
    @Covers({"ibv_modify_qp", "ibv_query_qp"})
    void connectedHasTheAttributesThatWereAskedFor() {
        try (
                var pair = ConnectedPair.onTheWire()
                        .both(builder -> builder.pathMtu(Mtu.MTU_512)
                                .packetSequenceNumber(0x123456)
                                .timeout(15)
                                .retryCount(5)
                                .rnrRetry(4)
                                .minRnrTimer(3)
                                .flowLabel(0xabcde)
                                .trafficClass(0x68)
                                .serviceLevel(3)
                                .hopLimit(7)
                                .readAtomic(8))
                        .connect()) {
            QueuePair queuePair = pair.left().queuePair();
            QueuePairAttributes attributes = queuePair.query();

            assertThat(queuePair.state()).isEqualTo(QueuePairState.RTS);
            assertThat(attributes.state()).isEqualTo(QueuePairState.RTS);
            assertThat(attributes.pathMtu()).isEqualTo(Mtu.MTU_512);
            assertThat(attributes.sendPsn()).isEqualTo(0x123456);
            assertThat(attributes.receivePsn()).isEqualTo(0x123456);
            assertThat(attributes.timeout()).isEqualTo(15);
            assertThat(attributes.retryCount()).isEqualTo(5);
            assertThat(attributes.rnrRetry()).isEqualTo(4);
            assertThat(attributes.minRnrTimer()).isEqualTo(3);
            assertThat(attributes.maxReadAtomic()).isEqualTo(8);
            assertThat(attributes.maxDestinationReadAtomic()).isEqualTo(8);
            assertThat(attributes.destinationQueuePairNumber())
                    .isEqualTo(pair.right().queuePair().number());
            assertThat(attributes.port()).isEqualTo(1);
            assertThat(attributes.addressVector())
                    .returns(Rxe.gid(2), path -> path.destinationGid())
                    .returns(Rxe.IPV4_INDEX, path -> path.sourceGidIndex())
                    .returns(0xabcde, path -> path.flowLabel())
                    .returns(0x68, path -> path.trafficClass());
        }
    }

    @Test
    void usesTheSmallerMtuOfBothEnds() {
        try (
                var pair = ConnectedPair.onTheWire()
                        .left(builder -> builder.pathMtu(Mtu.MTU_256))
                        .connect()) {
            assertThat(pair.left().queuePair().query().pathMtu()).isEqualTo(Mtu.MTU_256);
            assertThat(pair.right().queuePair().query().pathMtu()).isEqualTo(Mtu.MTU_256);
        }
    }

    @Test
    void worksBetweenLinkLocalGids() {
        try (
                var pair = ConnectedPair.onOneDevice()
                        .both(builder -> builder.gid(GidSelector.index(0)))
                        .connect()) {
            pair.right().receiveNothing(1);
            pair.left().send(1, 0, 0);
            pair.left().completions().nextSuccess();
        }
    }

    @Test
    void worksOfAQueuePairWithItself() {
        var prepared = domain.reliableConnection(queue).prepare();
        try (QueuePair queuePair = prepared.connect(prepared.endpoint())) {
            assertThat(queuePair.query().destinationQueuePairNumber()).isEqualTo(queuePair.number());
        }
    }

    @Test
    void closesThePreparedOneUnlessItIsConnected() {
        var abandoned = domain.reliableConnection(queue).prepare();
        abandoned.close();
        assertThatThrownBy(() -> abandoned.connect(abandoned.endpoint())).isInstanceOf(IllegalStateException.class);

        var used = domain.reliableConnection(queue).prepare();
        try (QueuePair queuePair = used.connect(used.endpoint())) {
            used.close();
            assertThat(queuePair.isClosed()).isFalse();
            assertThatThrownBy(() -> used.connect(used.endpoint()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(queuePair + " is connected already");
        }
        assertThatCode(queue::close).as("nothing uses the queue any more").doesNotThrowAnyException();
    }

    @Test
    void leavesNothingOfItselfIfNoGidFits() {
        var builder = domain.reliableConnection(queue).gid(GidSelector.index(200));
        assertThatThrownBy(builder::prepare)
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("ENODATA");
        assertThatCode(queue::close).as("nothing uses the queue").doesNotThrowAnyException();
    }

    @Test
    @Covers("ibv_modify_qp")
    void saysThatAPeerOfAnotherFamilyCannotBeReached() {
        try (var prepared = domain.reliableConnection(queue).prepare()) {
            var v6 = new QueuePairEndpoint(
                    17, 0, Gid.parse("fe80:0000:0000:0000:0000:0000:0000:0001"), 0, Mtu.MTU_1024);
            assertThatThrownBy(() -> prepared.connect(v6))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContainingAll("EINVAL", "INIT → RTR", "of one IP family");
        }
    }

    @Test
    @Covers("ibv_modify_qp")
    void saysThatAPeerDoesNotAnswerAndCanBeTriedAgain() {
        try (var prepared = domain.reliableConnection(queue).prepare()) {
            var nobody = new QueuePairEndpoint(17, 0, Rxe.gid(99), 0, Mtu.MTU_1024);
            assertThatThrownBy(() -> prepared.connect(nobody))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("did not respond")
                    .asInstanceOf(type(VerbsException.class))
                    .returns(Errno.ETIMEDOUT, VerbsException::errno);

            try (QueuePair queuePair = prepared.connect(prepared.endpoint())) {
                assertThat(queuePair.query().state()).isEqualTo(QueuePairState.RTS);
            }
        }
    }

    @Test
    void isNotForDatagrams() {
        try (
                var datagrams = domain.datagram(queue).prepare();
                var connection = domain.reliableConnection(queue).prepare()) {
            assertThatThrownBy(() -> datagrams.connect(connection.endpoint()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("use start()");
            assertThatThrownBy(connection::start)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("use connect(remote)");
        }
    }
}
