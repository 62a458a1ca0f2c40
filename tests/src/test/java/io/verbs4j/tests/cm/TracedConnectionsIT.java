// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.Identifier;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.cm.RdmaServer;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.trace.Traced;
import io.verbs4j.tracing.TraceEntry;
import io.verbs4j.types.ConnectionParameters;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// A trace shows the commands of the connection manager like those of the devices.
@DeviceTest
@Needs.NoKernel
class TracedConnectionsIT {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final ConnectionOptions OPTIONS = ConnectionOptions.defaults().withMessages(4, 64).withTimeout(LONG);

    @Test
    void everyByteOfAConnectionIsExplained() throws Exception {
        InetSocketAddress address = CmAddress.right();
        String text = "10.9.0.2:" + address.getPort();
        try (var traced = new Traced(false)) {
            try (var server = RdmaServer.listen(address, OPTIONS.withPrivateData(PrivateData.of("welcome")))) {
                var accepting = server.acceptAsync();
                try (
                        var client = RdmaConnection.connect(address, OPTIONS.withTypeOfService(8));
                        var accepted = accepting.get(60, TimeUnit.SECONDS)) {
                    client.messages().send("hello");
                    assertThat(accepted.messages().receiveText(LONG)).contains("hello");
                    client.disconnect();
                }
            }
            traced.assertEveryByteIsExplained();
            assertThat(traced.entries())
                    .as("a correct program's trace has no failure")
                    .filteredOn(entry -> entry.failed() && entry.device().equals("rdma_cm"))
                    .extracting(entry -> entry.command() + ": " + entry.explanation())
                    .isEmpty();
            assertThat(traced.entries())
                    .filteredOn(entry -> entry.device().equals("rdma_cm"))
                    .extracting(TraceEntry::command)
                    .contains(
                            "RDMA_USER_CM_CMD_CREATE_ID",
                            "RDMA_USER_CM_CMD_SET_OPTION",
                            "RDMA_USER_CM_CMD_BIND",
                            "RDMA_USER_CM_CMD_LISTEN",
                            "RDMA_USER_CM_CMD_RESOLVE_ADDR",
                            "RDMA_USER_CM_CMD_RESOLVE_ROUTE",
                            "RDMA_USER_CM_CMD_QUERY",
                            "RDMA_USER_CM_CMD_INIT_QP_ATTR",
                            "RDMA_USER_CM_CMD_CONNECT",
                            "RDMA_USER_CM_CMD_ACCEPT",
                            "RDMA_USER_CM_CMD_DISCONNECT",
                            "RDMA_USER_CM_CMD_GET_EVENT",
                            "RDMA_USER_CM_CMD_DESTROY_ID");
            assertThat(entry(traced, "RDMA_USER_CM_CMD_RESOLVE_ADDR").arguments()).contains("dst_addr=" + text);
            assertThat(entry(traced, "RDMA_USER_CM_CMD_BIND").arguments()).contains("addr=" + text);
            assertThat(traced.entries())
                    .filteredOn(entry -> entry.command().equals("RDMA_USER_CM_CMD_GET_EVENT"))
                    .extracting(TraceEntry::outcome)
                    .anyMatch(outcome -> outcome.contains("event=ADDR_RESOLVED (0)"))
                    .anyMatch(outcome -> outcome.contains("event=CONNECT_REQUEST (4)"))
                    .anyMatch(outcome -> outcome.contains("event=ESTABLISHED (9)"))
                    .anyMatch(outcome -> outcome.contains("event=DISCONNECTED (10)"));
        }
    }

    @Test
    void pathsAndDatagramsAreExplainedToo() throws Exception {
        InetSocketAddress address = CmAddress.right();
        try (var traced = new Traced(false); var channel = EventChannel.open()) {
            Identifier listener = channel.create(PortSpace.UDP);
            listener.bind(address);
            listener.listen(1);
            Identifier identifier = channel.create(PortSpace.UDP);
            identifier.resolveAddress(null, address, LONG);
            channel.await(LONG).orElseThrow();
            identifier.resolveRoute(LONG);
            channel.await(LONG).orElseThrow();
            assertThat(identifier.paths()).hasSize(1);
            assertThat(identifier.gids().destination().toInetAddress().getHostAddress()).isEqualTo("10.9.0.2");
            identifier.connect(ConnectionParameters.DEFAULT);
            Identifier incoming = Steps.next(channel, CmEvent.ConnectRequest.class).incoming();
            incoming.accept(ConnectionParameters.DEFAULT.withQueuePairNumber(0x4712));
            Steps.next(channel, CmEvent.DatagramsEstablished.class);
            traced.assertEveryByteIsExplained();
            assertThat(traced.values("path_data[0].path_rec")).hasSize(1);
            assertThat(traced.values("param.ud.qp_num")).containsSequence(0x4712L);
        }
    }

    @Test
    void aRefusalIsExplained() {
        InetSocketAddress address = CmAddress.right();
        try (var traced = new Traced(false); var channel = EventChannel.open()) {
            channel.create(PortSpace.TCP).bind(address);
            Identifier second = channel.create(PortSpace.TCP);
            assertThatThrownBy(() -> second.bind(address)).isInstanceOf(VerbsException.class);

            TraceEntry refused = traced.lastFailure();
            assertThat(refused.command()).isEqualTo("RDMA_USER_CM_CMD_BIND");
            assertThat(refused.explanation()).contains("port");
            traced.assertEveryByteIsExplained();
        }
    }

    private static TraceEntry entry(Traced traced, String command) {
        return traced.entries()
                .stream()
                .filter(entry -> entry.command().equals(command))
                .findFirst()
                .orElseThrow();
    }
}
