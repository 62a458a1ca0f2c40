// SPDX-License-Identifier: Apache-2.0
/// Connects to Valkey servers over RDMA.
module io.verbs4j.valkey {
    requires transitive io.verbs4j.cm;
    requires static org.jspecify;

    exports io.verbs4j.valkey;
}
