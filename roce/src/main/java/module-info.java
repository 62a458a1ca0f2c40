// SPDX-License-Identifier: Apache-2.0
/// Provides a codec for RoCE v2 packets, for captures, simulations and models.
module io.verbs4j.roce {
    requires transitive io.verbs4j.abi; // for io.verbs4j.types
    requires static org.jspecify;

    exports io.verbs4j.roce;
    exports io.verbs4j.roce.mad;
}
