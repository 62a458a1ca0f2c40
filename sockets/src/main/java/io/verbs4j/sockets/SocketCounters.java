// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import io.verbs4j.abi.jfr.FlightRecords;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Counts sockets by transport for [SocketReport], and reports fallbacks to TCP.
final class SocketCounters {
    private static final System.Logger LOGGER = System.getLogger("io.verbs4j.sockets");

    static final LongAdder RDMA_CONNECTS = new LongAdder();
    static final LongAdder RDMA_ACCEPTS = new LongAdder();
    static final LongAdder TCP_CONNECTS = new LongAdder();
    static final LongAdder TCP_ACCEPTS = new LongAdder();
    /// Fallbacks: connections and listeners over TCP because RDMA failed.
    static final LongAdder FALLBACKS = new LongAdder();

    /// Open connections, and connections being made over TCP.
    static final Set<SocketSide> OPEN = ConcurrentHashMap.newKeySet();

    private SocketCounters() {}

    /// Returns the open connections, without those that are being made over TCP.
    static List<SocketConnection> connections() {
        return OPEN.stream()
                .map(SocketCounters::connection)
                .filter(Objects::nonNull)
                .sorted(Comparator.comparing(SocketConnection::transport)
                        .thenComparing(SocketConnection::local)
                        .thenComparing(SocketConnection::peer))
                .toList();
    }

    private static @Nullable SocketConnection connection(SocketSide side) {
        InetSocketAddress local = side.localAddress();
        InetSocketAddress peer = side.peerAddress();
        return local == null || peer == null ? null
                : new SocketConnection(
                        side.transport().name(), SocketAddresses.text(local), SocketAddresses.text(peer));
    }

    /// Logs, counts and records that a socket uses TCP because RDMA failed.
    ///
    /// @param address the address that the socket connects to or listens at
    static void fellBack(InetSocketAddress address, RuntimeException failure) {
        String reason = Objects.requireNonNullElse(failure.getMessage(), failure.toString());
        LOGGER.log(Level.INFO, "{0} uses TCP because RDMA failed: {1}", address, reason);
        record(address, reason);
    }

    /// Logs that the program has closed a socket that was connecting over RDMA.
    static void gaveUp(InetSocketAddress address) {
        LOGGER.log(
                Level.INFO,
                "{0}: the program gave up while a socket connected over RDMA; for five seconds, sockets use TCP",
                address);
    }

    /// Logs, counts and records that a socket uses TCP because RDMA has failed for an earlier socket, whose failure was
    /// logged. The level is DEBUG, because programs may make thousands of connections in a second.
    static void fellBackAgain(InetSocketAddress address) {
        String reason = "a connect over RDMA to this address failed, or was given up, in the last five seconds";
        LOGGER.log(Level.DEBUG, "{0} uses TCP: {1}", address, reason);
        record(address, reason);
    }

    private static void record(InetSocketAddress address, String reason) {
        FALLBACKS.increment();
        FlightRecords.socketFallback(address.toString(), reason);
    }
}
