// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

/// Counts of this process's sockets over RDMA and over TCP, since its start.
///
/// @param rdmaConnects connections over RDMA that this process has made
/// @param rdmaAccepts connections over RDMA that this process has accepted
/// @param tcpConnects connections over TCP that this process has started because of the rules, not as fallbacks
/// @param tcpAccepts connections over TCP that this process has accepted
/// @param fallbacks connections and listeners that use TCP because RDMA failed, including connections within five
///     seconds after a failed connect to the same address and port
public record SocketReport(
        long rdmaConnects, long rdmaAccepts, long tcpConnects, long tcpAccepts, long fallbacks) {
    /// Returns the current counts.
    public static SocketReport now() {
        return new SocketReport(
                SocketCounters.RDMA_CONNECTS.sum(),
                SocketCounters.RDMA_ACCEPTS.sum(),
                SocketCounters.TCP_CONNECTS.sum(),
                SocketCounters.TCP_ACCEPTS.sum(),
                SocketCounters.FALLBACKS.sum());
    }
}
