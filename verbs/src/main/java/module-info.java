// SPDX-License-Identifier: Apache-2.0
/// RDMA verbs for Java programs.
@SuppressWarnings("module") // the modules named in qualified exports are compiled later
module io.verbs4j {
    requires io.verbs4j.spi;
    requires transitive io.verbs4j.abi; // for io.verbs4j.types
    requires static org.jspecify;
    // For programs that switch the management interface on.
    requires static java.management;

    exports io.verbs4j;
    exports io.verbs4j.management;
    exports io.verbs4j.jmx to
            io.verbs4j.sockets;

    uses io.verbs4j.spi.DeviceListenerFactory;
    uses io.verbs4j.spi.ProviderFactory;
}
