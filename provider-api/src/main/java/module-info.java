// SPDX-License-Identifier: Apache-2.0
/// The service provider interface: what a driver must bring to be used by `io.verbs4j`.
module io.verbs4j.spi {
    requires transitive io.verbs4j.abi;
    requires static org.jspecify;

    exports io.verbs4j.spi;
    exports io.verbs4j.spi.ring;
}
