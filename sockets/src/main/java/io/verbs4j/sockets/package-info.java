// SPDX-License-Identifier: Apache-2.0
/// Sockets over RDMA for programs that know only `java.nio` and `java.net`: [RdmaSelectorProvider] makes channels and selectors,
/// [RdmaSocketFactory] and [RdmaServerSocketFactory] make sockets, and [SocketRules] decide which of them are RDMA.
///
/// Stability: may change.
@NullMarked
package io.verbs4j.sockets;

import org.jspecify.annotations.NullMarked;
