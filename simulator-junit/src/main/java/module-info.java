// SPDX-License-Identifier: Apache-2.0
/// A JUnit 5 extension with simulated RDMA devices as parameters.
module io.verbs4j.simulator.junit {
    requires transitive io.verbs4j;
    requires transitive io.verbs4j.simulator;
    requires transitive org.junit.jupiter.api;
    requires static org.jspecify;

    exports io.verbs4j.simulator.junit;
}
