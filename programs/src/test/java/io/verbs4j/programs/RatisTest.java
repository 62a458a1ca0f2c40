// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.examples.counter.CounterCommand;
import org.apache.ratis.examples.counter.server.CounterStateMachine;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.netty.NettyConfigKeys;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.rpc.SupportedRpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.TimeDuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Three servers of Ratis with the counter from its examples.
@Tag("long-run") // elections
@Timeout(200)
class RatisTest {
    private static final int SERVERS = 3;
    private static final int STEPS = 50;
    private static final TimeDuration RETRY = TimeDuration.valueOf(200, TimeUnit.MILLISECONDS);

    @TempDir Path folder;

    private static int port(SupportedRpcType type, int number) {
        return 22_360 + 10 * type.ordinal() + number;
    }

    private static RaftGroup group(SupportedRpcType type) {
        List<RaftPeer> peers = IntStream.range(0, SERVERS)
                .mapToObj(number -> RaftPeer.newBuilder()
                        .setId("n" + number)
                        .setAddress(Transports.HOST + ":" + port(type, number))
                        .build())
                .toList();
        return RaftGroup.valueOf(RaftGroupId.randomId(), peers);
    }

    private RaftServer server(SupportedRpcType type, RaftGroup group, int number) throws IOException {
        var properties = new RaftProperties();
        properties.set("raft.rpc.type", type.name());
        GrpcConfigKeys.Server.setHost(properties, Transports.HOST);
        GrpcConfigKeys.Server.setPort(properties, port(type, number));
        NettyConfigKeys.Server.setHost(properties, Transports.HOST);
        NettyConfigKeys.Server.setPort(properties, port(type, number));
        // With the default of 150 ms, a busy machine causes elections, over TCP, too.
        RaftServerConfigKeys.Rpc.setTimeoutMin(properties, TimeDuration.valueOf(2, TimeUnit.SECONDS));
        RaftServerConfigKeys.Rpc.setTimeoutMax(properties, TimeDuration.valueOf(4, TimeUnit.SECONDS));
        RaftServerConfigKeys.setStorageDir(properties, List.of(folder.resolve("n" + number).toFile()));
        RaftServer server = RaftServer.newBuilder()
                .setServerId(RaftPeerId.valueOf("n" + number))
                .setGroup(group)
                .setProperties(properties)
                .setStateMachine(new CounterStateMachine())
                .build();
        server.start();
        return server;
    }

    private static int value(RaftClientReply reply) {
        assertThat(reply.isSuccess()).isTrue();
        return reply.getMessage().getContent().asReadOnlyByteBuffer().getInt();
    }

    @ParameterizedTest
    @EnumSource(names = {"GRPC", "NETTY"})
    void countsAfterItsLeaderEnds(SupportedRpcType type) throws Exception {
        RaftGroup group = group(type);
        var servers = new ArrayList<RaftServer>();
        try {
            for (int number = 0; number < SERVERS; number++) {
                servers.add(server(type, group, number));
            }
            var properties = new RaftProperties();
            properties.set("raft.rpc.type", type.name());
            // By default, a client without a leader opens hundreds of connections each second, over TCP, too.
            try (
                    RaftClient client = RaftClient.newBuilder()
                            .setProperties(properties)
                            .setRaftGroup(group)
                            .setRetryPolicy(RetryPolicies.retryForeverWithSleep(RETRY))
                            .build()) {
                count(client);
                RaftPeerId leader = client.getLeaderId();
                for (RaftServer server : List.copyOf(servers)) {
                    if (server.getId().equals(leader)) {
                        server.close();
                        servers.remove(server);
                    }
                }
                assertThat(servers).hasSize(SERVERS - 1);
                count(client);
                assertThat(value(client.io().sendReadOnly(CounterCommand.GET.getMessage()))).isEqualTo(2 * STEPS);
            }
        } finally {
            for (RaftServer server : servers) {
                server.close();
            }
        }
        Transports.assertOnlyRdma(SERVERS);
    }

    private static void count(RaftClient client) throws IOException {
        for (int i = 0; i < STEPS; i++) {
            assertThat(client.io().send(CounterCommand.INCREMENT.getMessage()).isSuccess()).isTrue();
        }
    }
}
