// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.tools;

import io.verbs4j.abi.host.Host;
import io.verbs4j.simulator.SimulatedHost;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.tests.support.ToolRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A receiver of a multicast group to which nobody sends gives up. In virtual time, this takes no time.
class SilentGroupTest {
    @Test
    @Timeout(30)
    void endsAReceiver() {
        SimulatedHost host = SimulatedNetwork.inVirtualTime(1).addHost("here", KernelProfile.LINUX_7_2);
        host.addDevice("rxe0");
        try (Host.Replacement _ = Host.replaceCurrent(host)) {
            ToolRun.of("mckey", "-m", "239.1.2.3", "-b", "10.9.0.1", "-C", "3")
                    .requireFailure(1, "no datagram for 60 s: 0 of 3 received");
        } finally {
            host.network().close();
        }
    }
}
