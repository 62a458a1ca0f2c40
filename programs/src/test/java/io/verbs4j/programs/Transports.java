// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;

/// The transports of this process's connections, from verbs4j's management bean.
final class Transports {
    /// The address of a device.
    static final String HOST = "10.9.0.2";

    private Transports() {}

    /// Asserts that all connections of this process so far were over RDMA.
    ///
    /// @param connections minimum number of connections
    static void assertOnlyRdma(int connections) throws JMException {
        var report = (CompositeData) ManagementFactory.getPlatformMBeanServer()
                .getAttribute(new ObjectName("io.verbs4j:type=Sockets"), "Report");
        System.out.println("accepted: RDMA " + report.get("rdmaAccepts") + ", TCP " + report.get("tcpAccepts"));
        assertThat((long) report.get("rdmaConnects")).isGreaterThanOrEqualTo(connections);
        assertThat((long) report.get("rdmaAccepts")).isGreaterThanOrEqualTo(connections);
        for (String count : new String[]{"tcpConnects", "tcpAccepts", "fallbacks"}) {
            assertThat((long) report.get(count)).as(count).isZero();
        }
    }
}
