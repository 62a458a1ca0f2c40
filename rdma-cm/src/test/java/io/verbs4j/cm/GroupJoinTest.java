// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.GlobalRouteHeader;
import io.verbs4j.MemoryRegion;
import io.verbs4j.abi.FaultyHost;
import io.verbs4j.abi.cm.JoinMulticast;
import io.verbs4j.abi.host.Host;
import io.verbs4j.abi.uapi.RdmaUcmCmdHdr;
import io.verbs4j.simulator.SimulatedHost;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.types.Access;
import io.verbs4j.types.Errno;
import io.verbs4j.types.Gid;
import io.verbs4j.types.VerbsException;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Joins groups that the connection manager refuses, as it refuses IPv6 groups over RoCE v2 (`cma_iboe_join_multicast`,
/// drivers/infiniband/core/cma.c), and groups that it accepts.
@Timeout(60)
class GroupJoinTest {
    private static final InetAddress GROUP = InetAddress.ofLiteral("239.9.8.1");
    private static final Duration LONG = Duration.ofSeconds(20);
    /// Of a file and of a packet.
    private static final int PCAP_HEADERS = 24 + 16;
    private static final int BYTES = GlobalRouteHeader.BYTES + 8;

    private final SimulatedNetwork network = SimulatedNetwork.inRealTime();
    private final SimulatedHost host = network.addHost("test", KernelProfile.LINUX_6_12);

    GroupJoinTest() {
        host.addDevice("rxe0");
        host.addDevice("rxe1");
    }

    @AfterEach
    void end() {
        network.close();
    }

    private Host.Replacement refusing(int errno) {
        return Host.replaceCurrent(new FaultyHost((_, arguments) -> isJoin(arguments.getFirst()), errno).over(host));
    }

    private static boolean isJoin(Object argument) {
        return argument instanceof MemorySegment command
                && RdmaUcmCmdHdr.STRUCT.view(command).getInt("cmd") == JoinMulticast.COMMAND.number();
    }

    private static DatagramPort port(String address) {
        return DatagramPort.open(new InetSocketAddress(address, 0), ConnectionOptions.defaults().withTimeout(LONG));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, Errno.ENOTSUPP})
    void datagramsReachTheMembers(int errno) throws Exception {
        var captured = new ByteArrayOutputStream();
        network.capture(captured);
        try (
                var _ = errno == 0 ? Host.replaceCurrent(host) : refusing(errno);
                var member = port("10.9.0.1");
                var sender = port("10.9.0.2")) {
            MemoryRegion received = member.protectionDomain().allocate(BYTES, Access.LOCAL_WRITE);
            MemoryRegion sent = sender.protectionDomain().allocate(8);
            try (var batch = member.queuePair().beginReceive()) {
                batch.workRequestId(1).receive(received, 0, BYTES);
                batch.submit();
            }
            MulticastGroup group = member.join(GROUP);
            assertThat(group.address()).isEqualTo(GROUP);
            assertThat(group.gid()).isEqualTo(Gid.of(GROUP));
            MulticastGroup sending = sender.join(GROUP, true);
            sent.segment().setString(0, "to all");
            try (var batch = sender.queuePair().beginSend()) {
                sending.destination().address(batch).send().local(sent, 0, 8).post();
                batch.submit();
            }
            var ids = new ArrayList<Long>();
            member.completionQueue().await(1, completion -> ids.add(completion.workRequestId()), LONG);
            assertThat(ids).containsExactly(1L);
            assertThat(received.segment().getString(GlobalRouteHeader.BYTES)).isEqualTo("to all");
            assertThat(member.queuePair().number()).isNotEqualTo(sending.destination().queuePairNumber());
            network.endCapture();
            byte[] addresses = Arrays.copyOfRange(captured.toByteArray(), PCAP_HEADERS, PCAP_HEADERS + 14);
            assertThat(HexFormat.of().formatHex(addresses)).as("RFC 1112, and IPv4")
                    .startsWith("01005e090801")
                    .endsWith("0800");
            group.close();
            group.close();
            assertThat(group.destination().handle().isClosed()).isTrue();
            assertThat(member.queuePair().isClosed()).isFalse();
            assertThatThrownBy(() -> member.queuePair().detachMulticast(group.gid()))
                    .as("the queue pair has left the group")
                    .isInstanceOf(VerbsException.class);
        }
    }

    @Test
    void theTimeoutMayBeUnlimited() throws Exception {
        var options = ConnectionOptions.defaults().withTimeout(ChronoUnit.FOREVER.getDuration());
        try (
                var _ = Host.replaceCurrent(host);
                var port = DatagramPort.open(new InetSocketAddress("10.9.0.1", 0), options)) {
            assertThat(port.join(GROUP).address()).isEqualTo(GROUP);
        }
    }

    @Test
    void anotherRefusalIsReported() {
        try (var _ = refusing(Errno.ENOMEM); var port = port("10.9.0.1")) {
            assertThatThrownBy(() -> port.join(GROUP)).isInstanceOfSatisfying(
                    VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOMEM));
        }
    }
}
