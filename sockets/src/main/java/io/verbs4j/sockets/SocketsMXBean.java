// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import java.util.List;

/// The sockets of a program, as `io.verbs4j:type=Sockets` in the platform's MBean server. The property
/// `verbs4j.management=true` enables this bean.
public interface SocketsMXBean {
    /// Returns the rules that decide between RDMA and TCP.
    String getRules();

    /// Returns the counts of sockets by transport.
    SocketReport getReport();

    /// Returns the open connections. A racy snapshot.
    List<SocketConnection> getConnections();
}
