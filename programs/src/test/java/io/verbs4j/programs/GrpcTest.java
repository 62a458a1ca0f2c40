// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.programs;

import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannelBuilder;
import io.grpc.ServerBuilder;
import io.grpc.netty.InternalNettyChannelBuilder;
import io.grpc.netty.InternalNettyServerBuilder;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.testing.integration.AbstractInteropTest;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.JMException;
import org.junit.AfterClass;

/// gRPC's own interoperability tests. Each test starts a server and a client.
public class GrpcTest extends AbstractInteropTest {
    private static final AtomicInteger PORTS = new AtomicInteger(22_400);

    private final InetSocketAddress address = new InetSocketAddress(Transports.HOST, PORTS.getAndIncrement());

    @Override
    protected ServerBuilder<?> getServerBuilder() {
        NettyServerBuilder builder = NettyServerBuilder.forAddress(address, InsecureServerCredentials.create())
                .flowControlWindow(TEST_FLOW_CONTROL_WINDOW)
                .maxInboundMessageSize(MAX_MESSAGE_SIZE);
        // As gRPC's own subclasses do: the tests read their own statistics.
        InternalNettyServerBuilder.setStatsEnabled(builder, false);
        return builder.addStreamTracerFactory(createCustomCensusTracerFactory());
    }

    @Override
    protected ManagedChannelBuilder<?> createChannelBuilder() {
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress(address, InsecureChannelCredentials.create())
                .flowControlWindow(TEST_FLOW_CONTROL_WINDOW)
                .maxInboundMessageSize(MAX_MESSAGE_SIZE);
        InternalNettyChannelBuilder.setStatsEnabled(builder, false);
        return builder.intercept(createCensusStatsClientInterceptor());
    }

    @AfterClass
    public static void allConnectionsWereRdma() throws JMException {
        Transports.assertOnlyRdma(30);
    }
}
