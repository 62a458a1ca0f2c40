// SPDX-License-Identifier: Apache-2.0
/// Sockets over RDMA for programs that use only `java.nio` and `java.net`. [RdmaSelectorProvider] creates channels and
/// selectors. [RdmaSocketFactory] and [RdmaServerSocketFactory] create sockets. [SocketRules] decide which sockets use
/// RDMA.
///
/// Stability: may change.
@NullMarked
package io.verbs4j.sockets;

import org.jspecify.annotations.NullMarked;
