// SPDX-License-Identifier: Apache-2.0
/// Example services built with verbs4j.
module io.verbs4j.examples {
    requires io.verbs4j.cm;
    requires static org.jspecify;

    exports io.verbs4j.examples.kv;
    exports io.verbs4j.examples.nfs;
}
