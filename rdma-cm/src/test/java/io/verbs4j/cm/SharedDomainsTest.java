// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.host.Host;
import io.verbs4j.simulator.SimulatedDevice;
import io.verbs4j.simulator.SimulatedHost;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.tests.support.Forwarding;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Connections that share open devices.
@Timeout(60)
class SharedDomainsTest {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress("10.9.0.1", 7472);

    @Test
    void onlyTheFirstConnectionListsTheDevices() throws Exception {
        try (SimulatedNetwork network = SimulatedNetwork.inRealTime()) {
            SimulatedHost host = network.addHost("host", KernelProfile.LINUX_6_12);
            host.addDevice("rxe0");
            var listings = new AtomicInteger();
            Host counting = Forwarding.of(Host.class, (_, method, arguments) -> {
                if (method.getName().equals("devices")) {
                    listings.incrementAndGet();
                }
                return Forwarding.pass(host, method, arguments);
            });
            try (
                    var _ = Host.replaceCurrent(counting);
                    RdmaServer server = RdmaServer.listen(ADDRESS);
                    ConnectionGroup group = ConnectionGroup.create()) {
                ConnectionOptions grouped = ConnectionOptions.defaults().withGroup(group);
                try (RdmaConnection first = connect(server, grouped)) {
                    assertThat(listings).as("one per end").hasValue(2);
                    connect(server, grouped).close();
                    connect(server, grouped.withProtectionDomain(first.protectionDomain())).close();
                    assertThat(listings).hasValue(2);
                }
                connect(server, grouped).close();
                assertThat(listings).as("after the last connection has closed the device").hasValue(2);
            }
        }
    }

    @Test
    void aDeviceIsFoundAfterItWasRemovedAndAdded() throws Exception {
        try (
                SimulatedNetwork network = SimulatedNetwork.inRealTime();
                ConnectionGroup group = ConnectionGroup.create()) {
            SimulatedHost host = network.addHost("host", KernelProfile.LINUX_6_12);
            ConnectionOptions grouped = ConnectionOptions.defaults().withGroup(group);
            try (var _ = Host.replaceCurrent(host)) {
                for (int i = 0; i < 2; i++) {
                    SimulatedDevice device = host.addDevice("rxe0");
                    device.addAddress(ADDRESS.getAddress());
                    try (RdmaServer server = RdmaServer.listen(ADDRESS)) {
                        connect(server, grouped).close();
                    }
                    host.removeDevice("rxe0");
                }
            }
        }
    }

    private static RdmaConnection connect(RdmaServer server, ConnectionOptions options) throws Exception {
        CompletableFuture<RdmaConnection> accepted = server.acceptAsync();
        RdmaConnection connection = RdmaConnection.connect(ADDRESS, options);
        accepted.get(20, TimeUnit.SECONDS);
        return connection;
    }
}
