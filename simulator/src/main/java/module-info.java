// SPDX-License-Identifier: Apache-2.0
/// Provides simulated RDMA devices for programs and tests, on any system.
module io.verbs4j.simulator {
    requires transitive io.verbs4j.abi;
    requires io.verbs4j.roce;
    requires io.verbs4j.rxe;
    requires static org.jspecify;

    exports io.verbs4j.simulator;
    exports io.verbs4j.simulator.profile;

    provides io.verbs4j.abi.host.HostFactory with
            io.verbs4j.simulator.SimulatedHostFactory;
}
