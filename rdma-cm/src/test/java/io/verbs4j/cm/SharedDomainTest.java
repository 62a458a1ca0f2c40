// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.Device;
import io.verbs4j.Devices;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Connections that join and leave a protection domain.
class SharedDomainTest {
    private final SimulatedNetwork network = SimulatedNetwork.inRealTime();
    private final Device device;
    private final Device other;

    SharedDomainTest() {
        var host = network.addHost("host", KernelProfile.LINUX_6_12);
        host.addDevice("rxe0");
        host.addDevice("rxe1");
        List<Device> devices = Devices.of(host);
        device = devices.getFirst();
        other = devices.getLast();
    }

    @AfterEach
    void close() {
        network.close();
    }

    @Test
    void canBeJoinedUntilTheLastUserHasLeft() {
        SharedDomain shared = SharedDomain.open(device);
        ProtectionDomain domain = shared.domain();
        assertThat(shared.join()).isTrue();
        shared.leave();
        assertThat(shared.join()).isTrue();
        shared.leave();
        assertThat(domain.context().isClosed()).isFalse();
        shared.leave();
        assertThat(domain.context().isClosed()).isTrue();
        assertThat(shared.join()).isFalse();
    }

    @Test
    void ofTheCallerRemainsTheCallers() {
        try (var context = device.open()) {
            ProtectionDomain domain = context.allocateProtectionDomain();
            SharedDomain shared = SharedDomain.of(domain, device.nodeGuid(), () -> device);
            assertThat(shared.domain()).isSameAs(domain);
            shared.leave();
            assertThat(domain.isClosed()).isFalse();
            assertThat(context.isClosed()).isFalse();
            assertThatThrownBy(() -> SharedDomain.of(domain, other.nodeGuid(), () -> other))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "the protection domain belongs to rxe0, but the route to the peer uses rxe1:"
                                    + " protectionDomain=" + domain);
        }
    }
}
