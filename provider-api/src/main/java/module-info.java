// SPDX-License-Identifier: Apache-2.0
/// The service provider interface, which a driver's provider implements for `io.verbs4j`.
module io.verbs4j.spi {
    requires transitive io.verbs4j.abi;
    requires static org.jspecify;

    exports io.verbs4j.spi;
    exports io.verbs4j.spi.ring;
}
