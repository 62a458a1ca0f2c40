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

    /// As the heads of reports call it.
    String title() {
        return title;
    }

    /// Returns whether the peer answers with data, so that what is measured is the way there and back.
    boolean isFetching() {
        return this == READ || this == ATOMIC;
    }
}
