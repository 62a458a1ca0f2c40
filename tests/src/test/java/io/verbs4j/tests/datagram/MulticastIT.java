// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.datagram;

import static io.verbs4j.QueuePair.MULTICAST_QUEUE_PAIR_NUMBER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.AddressHandle;
import io.verbs4j.CompletionRecord;
import io.verbs4j.GlobalRouteHeader;
import io.verbs4j.QueuePair;
import io.verbs4j.Unguarded;
import io.verbs4j.tests.support.AnyDevice.AlsoOverMlx5;
import io.verbs4j.tests.support.AnyDevice.NotOverMlx5;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.End;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.TestBytes;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.Errno;
import io.verbs4j.types.Gid;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.VerbsException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Receivers of multicast groups. rxe adds Ethernet addresses to its interface, but its packets pass the kernel's IP
/// layer, which drops those of groups that the interface has not joined.
@DeviceTest
@AlsoOverMlx5
@Covers({"ibv_attach_mcast", "ibv_detach_mcast"})
@Needs.EachKernel
class MulticastIT {
    private static final int HEADER = GlobalRouteHeader.BYTES;

    private ConnectedPair pair;
    private End left;
    private End right;

    /// Kinds of groups.
    enum Family {
        IPV4("239.9.8.7") {
            @Override
            ConnectedPair pair() {
                return ConnectedPair.onTheWire().transport(QueuePairType.UD).connect();
            }
        },
        IPV6("ff02::9:8:7") {
            @Override
            ConnectedPair pair() {
                return DatagramIT.overIpv6();
            }
        };

        final Gid group;

        Family(String group) {
            this.group = gid(group);
        }

        /// With GIDs of the family.
        abstract ConnectedPair pair();

        /// Lets an interface join the group for as long as the result is open.
        MulticastSocket joinedBy(String networkInterface) throws IOException {
            var socket = new MulticastSocket();
            socket.joinGroup(
                    new InetSocketAddress(group.toInetAddress(), 0), NetworkInterface.getByName(networkInterface));
            return socket;
        }
    }

    private static Gid gid(String address) {
        try {
            return Gid.of(InetAddress.getByName(address));
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    @BeforeEach
    void open() {
        use(Family.IPV4.pair());
    }

    private void use(ConnectedPair other) {
        pair = other;
        left = pair.left();
        right = pair.right();
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private AddressHandle pathTo(Gid group) {
        return left.domain().createAddressHandle(AddressVector.roce(1, left.gidIndex(), group));
    }

    private void sendTo(AddressHandle group, long length) {
        left.post(batch -> batch.to(group, MULTICAST_QUEUE_PAIR_NUMBER, ConnectedPair.QKEY)
                .signaled()
                .send()
                .local(left.memory(), 0, length)
                .post());
        left.completions().nextSuccess();
    }

    @ParameterizedTest
    @EnumSource
    void reachesEveryMemberOnTheOtherDevice(Family family) throws IOException {
        pair.close();
        use(family.pair());
        TestBytes.fill(left.bytes(0, 500), 1);
        try (
                var _ = family.joinedBy("veth1");
                var prepared = right.domain().datagram(right.queue()).prepare();
                var second = prepared.start();
                var stranger = prepared(right)) {
            right.queuePair().attachMulticast(family.group);
            second.attachMulticast(family.group);
            receive(right.queuePair(), 1, 0);
            receive(second, 2, 1024);
            receive(stranger, 3, 2048);
            sendTo(pathTo(family.group), 500);

            var received = right.completions().nextSuccesses(2);
            assertThat(received).extracting(CompletionRecord::workRequestId).containsExactlyInAnyOrder(1L, 2L);
            assertThat(received)
                    .allMatch(completion -> completion.byteLength() == HEADER + 500)
                    .allMatch(completion -> completion.sourceQueuePairNumber() == left.queuePair().number());
            TestBytes.assertHolds(right.bytes(HEADER, 500), 1);
            TestBytes.assertHolds(right.bytes(1024 + HEADER, 500), 1);
            var header = GlobalRouteHeader.read(received.getFirst(), right.memory().segment(), 0);
            assertThat(header.sourceGid()).isEqualTo(left.endpoint().gid());
            assertThat(header.destinationGid()).isEqualTo(family.group);
            assertThat(right.context()
                    .gid(1, header.replyPath(right.context(), 1).sourceGidIndex())
                    .gid())
                    .isEqualTo(right.endpoint().gid());
            right.completions().assertNone();
        }
    }

    private static QueuePair prepared(End end) {
        return end.domain().datagram(end.queue()).prepare().start();
    }

    private void receive(QueuePair queuePair, long id, long offset) {
        try (var batch = queuePair.beginReceive()) {
            batch.workRequestId(id).receive(right.memory(), offset, 1024);
            batch.submit();
        }
    }

    /// The kernel hands a copy to its own interface, if that has joined the group.
    @ParameterizedTest
    @EnumSource
    void reachesMembersOnBothDevices(Family family) throws IOException {
        pair.close();
        use(family.pair());
        try (
                var _ = family.joinedBy("veth0");
                var _ = family.joinedBy("veth1")) {
            left.queuePair().attachMulticast(family.group);
            right.queuePair().attachMulticast(family.group);
            left.receive(1, 4096, 1024);
            right.receive(2, 4096, 1024);
            left.post(batch -> batch.to(pathTo(family.group), MULTICAST_QUEUE_PAIR_NUMBER, ConnectedPair.QKEY)
                    .send()
                    .immediate(99)
                    .local(left.memory(), 0, 100)
                    .post());

            assertThat(right.completions().nextSuccess().immediateDataOrKey()).isEqualTo(99);
            assertThat(left.completions().nextSuccess().immediateDataOrKey()).isEqualTo(99);
        }
    }

    @RealKernel("network interfaces that join IP groups")
    @ParameterizedTest
    @EnumSource
    void reachesNobodyBeforeTheInterfaceHasJoined(Family family) throws IOException {
        pair.close();
        use(family.pair());
        right.queuePair().attachMulticast(family.group);
        right.receive(1, 0, 1024);
        AddressHandle path = pathTo(family.group);
        sendTo(path, 1);
        try (var _ = family.joinedBy("veth1")) {
            sendTo(path, 2);
            assertThat(right.completions().nextSuccess().byteLength()).isEqualTo(HEADER + 2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void stopsWithLeaving(Family family) throws IOException {
        pair.close();
        use(family.pair());
        try (var _ = family.joinedBy("veth1")) {
            AddressHandle path = pathTo(family.group);
            right.queuePair().attachMulticast(family.group);
            right.queuePair().attachMulticast(family.group); // twice is once
            right.receive(1, 0, 1024);
            right.receive(2, 0, 1024);
            sendTo(path, 1);
            assertThat(right.completions().nextSuccess().byteLength()).isEqualTo(HEADER + 1);
            right.queuePair().detachMulticast(family.group);
            sendTo(path, 2);
            left.send(7, 0, 3);
            assertThat(right.completions().nextSuccess().byteLength()).isEqualTo(HEADER + 3);
            right.queuePair().attachMulticast(family.group);
            right.receive(3, 0, 1024);
            sendTo(path, 4);
            assertThat(right.completions().nextSuccess().byteLength()).isEqualTo(HEADER + 4);
        }
    }

    /// A member's Q_Key counts, not that of the group.
    @Test
    void skipsMembersWithAnotherQkey() throws IOException {
        Gid group = Family.IPV4.group;
        try (
                var _ = Family.IPV4.joinedBy("veth1");
                var prepared = right.domain().datagram(right.queue()).qkey(5).prepare();
                var other = prepared.start()) {
            right.queuePair().attachMulticast(group);
            other.attachMulticast(group);
            receive(right.queuePair(), 1, 0);
            receive(other, 2, 1024);
            sendTo(pathTo(group), 1);
            assertThat(right.completions().nextSuccess().workRequestId()).isEqualTo(1);
            left.post(batch -> batch.to(pathTo(group), MULTICAST_QUEUE_PAIR_NUMBER, 5)
                    .send()
                    .local(left.memory(), 0, 2)
                    .post());
            assertThat(right.completions().nextSuccess().workRequestId()).isEqualTo(2);
        }
    }

    @Test
    void refusesToLeaveAGroupThatItIsNotIn() {
        assertThatThrownBy(() -> right.queuePair().detachMulticast(Family.IPV4.group))
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
                .hasMessageContainingAll("detach multicast", "not a member");
    }

    @Test
    void refusesQueuePairsThatAreConnected() {
        try (var connected = ConnectedPair.onOneDevice().connect()) {
            assertThatThrownBy(() -> connected.left().queuePair().attachMulticast(Family.IPV4.group))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("only those join multicast groups");
        }
    }

    @Test
    void refusesAddressesThatAreNoGroups() {
        for (String address : new String[]{"10.9.0.2", "fe80::1", "::"}) {
            assertThatThrownBy(() -> right.queuePair().attachMulticast(gid(address)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is not a multicast GID");
        }
    }

    @Test
    @NotOverMlx5("the simulated card does not count its groups")
    void keepsItsQueuePairFromBeingDestroyedByTheKernel() {
        var queuePair = right.queuePair();
        queuePair.attachMulticast(Family.IPV4.group);
        assertThatThrownBy(() -> Unguarded.destroy(queuePair))
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBUSY));
        queuePair.close();
        assertThat(queuePair.isClosed()).isTrue();
    }

    @Test
    void leavesItsGroupsWhenItIsClosed() throws IOException {
        var queuePair = right.queuePair();
        queuePair.attachMulticast(Family.IPV4.group);
        queuePair.attachMulticast(Family.IPV6.group);
        queuePair.close();
        assertThat(queuePair.isClosed()).isTrue();
    }

    /// 56 on rxe, as the device says.
    @Test
    void takesAsManyMembersAsTheDeviceSays() {
        int limit = right.context().attributes().maxMulticastQueuePairs();
        for (int i = 0; i < limit; i++) {
            small().attachMulticast(Family.IPV4.group);
        }
        var last = small();
        assertThatThrownBy(() -> last.attachMulticast(Family.IPV4.group))
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOMEM));
    }

    private QueuePair small() {
        return right.domain()
                .datagram(right.queue())
                .maxSends(1)
                .maxReceives(1)
                .maxSendScatterGather(1)
                .maxReceiveScatterGather(1)
                .maxInlineData(0)
                .create();
    }
}
