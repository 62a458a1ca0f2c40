// SPDX-License-Identifier: Apache-2.0
/// A JUnit 5 extension that hands simulated RDMA devices to tests.
module io.verbs4j.simulator.junit {
    requires transitive io.verbs4j;
    requires transitive io.verbs4j.simulator;
    requires transitive org.junit.jupiter.api;
    requires static org.jspecify;

    exports io.verbs4j.simulator.junit;
}
