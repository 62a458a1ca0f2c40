// SPDX-License-Identifier: Apache-2.0
/// Provides sockets over RDMA for programs that use only `java.nio` and `java.net`.
module io.verbs4j.sockets {
    requires transitive io.verbs4j.cm;
    requires static java.instrument;
    // Needed only by programs that enable the management interface.
    requires static java.management;
    requires static org.jspecify;

    exports io.verbs4j.sockets;
}
