// SPDX-License-Identifier: Apache-2.0
/// Programs that show how services are built with verbs4j.
module io.verbs4j.examples {
    requires io.verbs4j.cm;
    requires static org.jspecify;

    exports io.verbs4j.examples.kv;
}
