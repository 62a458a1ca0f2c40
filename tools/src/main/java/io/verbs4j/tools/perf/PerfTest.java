// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import java.util.Locale;

/// The tests. Defaults are those of perftest.
enum PerfTest {
    /// Latency of messages.
    SEND_LAT(Operation.SEND, true),
    /// Bandwidth of messages.
    SEND_BW(Operation.SEND, false),
    /// Latency of RDMA writes.
    WRITE_LAT(Operation.WRITE, true),
    /// Bandwidth of RDMA writes.
    WRITE_BW(Operation.WRITE, false),
    /// Latency of RDMA reads.
    READ_LAT(Operation.READ, true),
    /// Bandwidth of RDMA reads.
    READ_BW(Operation.READ, false),
    /// Latency of atomic operations.
    ATOMIC_LAT(Operation.ATOMIC, true),
    /// Bandwidth of atomic operations.
    ATOMIC_BW(Operation.ATOMIC, false);

    private final Operation operation;
    private final boolean latency;

    PerfTest(Operation operation, boolean latency) {
        this.operation = operation;
        this.latency = latency;
    }

    Operation operation() {
        return operation;
    }

    boolean isLatency() {
        return latency;
    }

    /// Returns the name on the command line, such as `send-lat`.
    String commandName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    int defaultSize() {
        return operation == Operation.ATOMIC ? Long.BYTES : latency ? 2 : 65_536;
    }

    int defaultIterations() {
        return this == WRITE_BW ? 5000 : 1000;
    }

    int defaultSendDepth() {
        return latency ? 1 : 128;
    }
}
