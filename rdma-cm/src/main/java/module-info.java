// SPDX-License-Identifier: Apache-2.0
/// Connects queue pairs by IP address, through the RDMA connection manager.
module io.verbs4j.cm {
    requires transitive io.verbs4j;
    requires static org.jspecify;

    exports io.verbs4j.cm;
    exports io.verbs4j.cm.stream;
}
