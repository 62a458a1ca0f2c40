// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import io.verbs4j.abi.jfr.FlightRecords;
import io.verbs4j.types.VerbsException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/// Counts how sockets travel, for [SocketReport], and reports what was to be RDMA and is not.
final class SocketCounters {
    private static final System.Logger LOGGER = System.getLogger("io.verbs4j.sockets");

    static final LongAdder RDMA_CONNECTS = new LongAdder();
    static final LongAdder RDMA_ACCEPTS = new LongAdder();
    static final LongAdder TCP_CONNECTS = new LongAdder();
    static final LongAdder TCP_ACCEPTS = new LongAdder();
    /// Connections and listeners that were to be RDMA and are TCP.
    static final LongAdder FALLBACKS = new LongAdder();

    /// Connections that are open, or are being made over TCP.
    static final Set<SocketSide> OPEN = ConcurrentHashMap.newKeySet();

    private SocketCounters() {}

    /// Logs, counts and records that a socket is TCP because RDMA failed.
    ///
    /// @param address that it connects to or listens at
    static void fellBack(InetSocketAddress address, VerbsException failure) {
        String reason = Objects.requireNonNullElse(failure.getMessage(), failure.toString());
        LOGGER.log(Level.INFO, "{0} is TCP, not RDMA: {1}", address, reason);
        FALLBACKS.increment();
        FlightRecords.socketFallback(address.toString(), reason);
    }
}
