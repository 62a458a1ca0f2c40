// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import java.util.concurrent.atomic.LongAdder;

/// Counts how sockets travel, for [SocketReport].
final class SocketCounters {
    static final LongAdder RDMA_CONNECTS = new LongAdder();
    static final LongAdder RDMA_ACCEPTS = new LongAdder();
    static final LongAdder TCP_CONNECTS = new LongAdder();
    static final LongAdder TCP_ACCEPTS = new LongAdder();
    /// Connections that were to be RDMA and are TCP.
    static final LongAdder FALLBACKS = new LongAdder();

    private SocketCounters() {}
}
