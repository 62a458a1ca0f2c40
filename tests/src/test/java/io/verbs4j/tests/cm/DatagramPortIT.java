// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.CompletionRecord;
import io.verbs4j.GlobalRouteHeader;
import io.verbs4j.MemoryRegion;
import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.ConnectionRejectedException;
import io.verbs4j.cm.DatagramDestination;
import io.verbs4j.cm.DatagramPort;
import io.verbs4j.cm.MulticastGroup;
import io.verbs4j.cm.RejectReason;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.types.Access;
import io.verbs4j.types.PrivateData;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Datagrams and multicast groups by IP address.
@DeviceTest
@Needs.EachKernel
class DatagramPortIT {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final ConnectionOptions OPTIONS = ConnectionOptions.defaults().withTimeout(LONG);
    private static final int BYTES = 512;

    /// Kinds of addresses.
    enum Family {
        IPV4("239.9.8.1", "01:00:5e:09:08:01") {
            @Override
            InetAddress of(String networkInterface) throws UnknownHostException {
                return InetAddress.getByName(networkInterface.equals("veth0") ? "10.9.0.1" : "10.9.0.2");
            }
        },
        IPV6("ff02::9:8:1", "ff02::9:8:1") {
            @Override
            InetAddress of(String networkInterface) {
                return CmAddress.linkLocal(networkInterface, networkInterface);
            }
        };

        private final String group;

        /// Holds what shows that an interface has joined; not every kernel lists IPv4 groups.
        private final String mark;

        Family(String group, String mark) {
            this.group = group;
            this.mark = mark;
        }

        abstract InetAddress of(String networkInterface) throws Exception;

        InetSocketAddress left() throws Exception {
            return new InetSocketAddress(of("veth0"), 0);
        }

        InetSocketAddress right() throws Exception {
            return new InetSocketAddress(of("veth1"), CmAddress.right().getPort());
        }

        InetAddress group() throws UnknownHostException {
            return InetAddress.getByName(group);
        }

        /// Returns whether the right interface is in the IP group.
        boolean isJoined() {
            String groups = ExternalProcess.of("ip", "maddress", "show", "dev", "veth1").run(LONG).output();
            return groups.lines().anyMatch(line -> List.of(line.strip().split("\\s+")).contains(mark));
        }
    }

    private static MemoryRegion receiving(DatagramPort port) {
        MemoryRegion memory = port.protectionDomain().allocate(2 * BYTES, Access.LOCAL_WRITE);
        try (var batch = port.queuePair().beginReceive()) {
            batch.workRequestId(1).receive(memory, 0, BYTES);
            batch.submit();
        }
        return memory;
    }

    private static void send(DatagramPort port, MemoryRegion memory, DatagramDestination to, String text)
            throws InterruptedException {
        memory.segment().setString(BYTES, text);
        try (var batch = port.queuePair().beginSend()) {
            to.address(batch.signaled().workRequestId(2)).send().local(memory, BYTES, text.length() + 1).post();
            batch.submit();
        }
        next(port, 2);
    }

    private static CompletionRecord next(DatagramPort port, long id) throws InterruptedException {
        List<CompletionRecord> completions = new ArrayList<>();
        port.completionQueue().await(1, completion -> completions.add(completion.toRecord()), LONG);
        assertThat(completions).singleElement()
                .matches(CompletionRecord::isSuccess)
                .matches(
                        completion -> completion.workRequestId() == id);
        return completions.getFirst();
    }

    private static String text(MemoryRegion memory) {
        return memory.segment().getString(GlobalRouteHeader.BYTES);
    }

    @ParameterizedTest
    @EnumSource
    void findsItsPeerAndIsAnswered(Family family) throws Exception {
        try (var server = DatagramPort.open(family.right(), OPTIONS)) {
            MemoryRegion served = receiving(server);
            server.serve(PrivateData.of("here I am"));
            try (var client = DatagramPort.connect(server.localAddress(), OPTIONS)) {
                assertThat(client.privateData().text()).isEqualTo("here I am");
                DatagramDestination peer = client.peer().orElseThrow();
                assertThat(peer.queuePairNumber()).isEqualTo(server.queuePair().number());
                MemoryRegion answered = receiving(client);
                send(client, answered, peer, "who is there?");
                var received = next(server, 1);
                assertThat(text(served)).isEqualTo("who is there?");
                var header = GlobalRouteHeader.read(received, served.segment(), 0);
                try (
                        var back = new DatagramDestination(
                                server.protectionDomain().createAddressHandle(header, 1),
                                received.sourceQueuePairNumber(), peer.qkey())) {
                    send(server, served, back, "it is me");
                }
                next(client, 1);
                assertThat(text(answered)).isEqualTo("it is me");
            }
        }
    }

    @RealKernel("the groups of network interfaces")
    @ParameterizedTest
    @EnumSource
    void joinsTheIpGroupAsLongAsTheMembership(Family family) throws Exception {
        assertThat(family.isJoined()).isFalse();
        try (
                var member = DatagramPort.open(family.right(), OPTIONS);
                var sender = DatagramPort.open(family.left(), OPTIONS)) {
            MemoryRegion memory = receiving(member);
            MulticastGroup group = member.join(family.group());
            assertThat(family.isJoined()).isTrue();
            try (var sending = sender.join(family.group(), true)) {
                assertThat(sending.gid()).isEqualTo(group.gid());
                MemoryRegion outgoing = sender.protectionDomain().allocate(2 * BYTES, Access.LOCAL_WRITE);
                send(sender, outgoing, sending.destination(), "to all");
                next(member, 1);
                assertThat(text(memory)).isEqualTo("to all");
            }
            group.close();
            assertThat(family.isJoined()).isFalse();
            member.join(family.group());
            assertThat(family.isJoined()).isTrue();
        }
        assertThat(family.isJoined()).isFalse();
    }

    @Test
    void saysThatNobodyListens() {
        assertThatThrownBy(() -> DatagramPort.connect(CmAddress.right(), OPTIONS))
                .isInstanceOfSatisfying(
                        ConnectionRejectedException.class,
                        e -> assertThat(e.reason()).contains(RejectReason.NO_LISTENER));
    }

    @Test
    void refusesWildcardsAndAddressesOfNoGroup() throws Exception {
        assertThatThrownBy(() -> DatagramPort.open(new InetSocketAddress(0), OPTIONS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("local=0.0.0.0:0");
        try (var port = DatagramPort.open(Family.IPV4.left(), OPTIONS)) {
            assertThatThrownBy(() -> port.join(InetAddress.getByName("10.9.0.2")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("group=10.9.0.2");
        }
    }
}
