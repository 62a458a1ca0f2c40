// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

/// The operation that a test repeats.
enum Operation {
    /// Messages that the peer receives.
    SEND("Send"),
    /// RDMA writes into the peer's memory.
    WRITE("RDMA_Write"),
    /// RDMA reads of the peer's memory.
    READ("RDMA_Read"),
    /// Fetch-and-add of 8 bytes of the peer's memory.
    ATOMIC("Atomic FETCH_AND_ADD");

    private final String title;

    Operation(String title) {
        this.title = title;
    }

    /// Returns the name in the heading of a report.
    String title() {
        return title;
    }

    /// Returns whether the peer's device answers with data, so that a measured time is a whole round trip.
    boolean isFetching() {
        return this == READ || this == ATOMIC;
    }
}
