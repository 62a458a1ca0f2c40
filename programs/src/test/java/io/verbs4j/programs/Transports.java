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

    /// As below, for a process that connects to itself.
    static void assertOnlyRdma(int connections) throws JMException {
        assertOnlyRdma(connections, connections);
    }

    /// Asserts that all connections of this process so far were over RDMA.
    ///
    /// @param connects minimum number of connections that this process has made
    /// @param accepts minimum number of connections that this process has accepted
    static void assertOnlyRdma(int connects, int accepts) throws JMException {
        CompositeData report = report();
        System.out.println("accepted: RDMA " + report.get("rdmaAccepts") + ", TCP " + report.get("tcpAccepts"));
        assertThat((long) report.get("rdmaConnects")).isGreaterThanOrEqualTo(connects);
        assertThat((long) report.get("rdmaAccepts")).isGreaterThanOrEqualTo(accepts);
        for (String count : new String[]{"tcpConnects", "tcpAccepts", "fallbacks"}) {
            assertThat((long) report.get(count)).as(count).isZero();
        }
    }

    /// Asserts that this process has connected to others over TCP, and only to itself over RDMA.
    ///
    /// @param connections minimum number of connections over TCP
    static void assertRdmaAndTcp(int connections) throws JMException {
        CompositeData report = report();
        assertThat((long) report.get("tcpConnects")).isGreaterThanOrEqualTo(connections);
        assertThat((long) report.get("rdmaAccepts")).isPositive().isEqualTo(report.get("rdmaConnects"));
        assertThat((long) report.get("tcpAccepts")).isZero();
        assertThat((long) report.get("fallbacks")).isZero();
    }

    private static CompositeData report() throws JMException {
        return (CompositeData) ManagementFactory.getPlatformMBeanServer()
                .getAttribute(new ObjectName("io.verbs4j:type=Sockets"), "Report");
    }
}
