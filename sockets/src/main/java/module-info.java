// SPDX-License-Identifier: Apache-2.0
/// Sockets over RDMA for programs that know only `java.nio` and `java.net`.
module io.verbs4j.sockets {
    requires transitive io.verbs4j.cm;
    requires static java.instrument;
    // For programs that switch the management interface on.
    requires static java.management;
    requires static org.jspecify;

    exports io.verbs4j.sockets;
}
