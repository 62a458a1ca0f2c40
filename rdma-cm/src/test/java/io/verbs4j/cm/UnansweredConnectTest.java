// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.abi.host.Host;
import io.verbs4j.simulator.KernelProfile;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A connect without an answer names the port if the port is not active. A real link that goes down takes its addresses
/// along, which later tests need.
@Timeout(60)
class UnansweredConnectTest {
    @Test
    void namesThePortThatIsNotActive() {
        var address = new InetSocketAddress("10.9.0.2", 7471);
        try (SimulatedNetwork network = SimulatedNetwork.inRealTime()) {
            var host = network.addHost("host", KernelProfile.LINUX_6_12);
            host.connectsAcrossTheWire(true);
            var client = host.addDevice("rxe0");
            host.addDevice("rxe1");
            try (Host.Replacement _ = Host.replaceCurrent(host); RdmaServer _ = RdmaServer.listen(address)) {
                var options = ConnectionOptions.defaults()
                        .withTimeout(Duration.ofMillis(100))
                        .withPreparation(_ -> client.link(false));
                assertThatThrownBy(() -> RdmaConnection.connect(address, options))
                        .isInstanceOfSatisfying(
                                VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ETIMEDOUT))
                        .hasMessageContaining("port 1 of rxe0 is not active; bring its network interface up");
            }
        }
    }
}
