// SPDX-License-Identifier: Apache-2.0
/// Meters of RDMA devices and queues for Micrometer.
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // Micrometer has a module's name, and no descriptor
module io.verbs4j.micrometer {
    requires transitive io.verbs4j;
    requires transitive micrometer.core;
    requires static io.verbs4j.sockets;
    requires static org.jspecify;

    exports io.verbs4j.micrometer;
}
