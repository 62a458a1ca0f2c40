// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.programs;

import javax.management.JMException;
import org.junit.jupiter.api.Tag;
import org.junit.platform.suite.api.AfterSuite;
import org.junit.platform.suite.api.ExcludeClassNamePatterns;
import org.junit.platform.suite.api.IncludeClassNamePatterns;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/// The tests of sockets of Netty 4.1 that need neither native code nor an address outside of the machine.
@Suite
@Tag("long-run")
@SelectPackages("io.netty.testsuite.transport.socket")
@IncludeClassNamePatterns(".*[.](Socket|CompositeBuffer|ServerSocket|TrafficShaping|WriteBefore).*Test")
@ExcludeClassNamePatterns(".*[.](SocketConnectionAttempt|SocketSsl|SocketStartTls).*")
class NettyTest {
    @AfterSuite
    static void allConnectionsWereRdma() throws JMException {
        Transports.assertOnlyRdma(100);
    }
}
