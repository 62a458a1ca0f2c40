// SPDX-License-Identifier: Apache-2.0
/// Work requests as futures, and slabs of registered memory.
module io.verbs4j.async {
    requires transitive io.verbs4j;
    requires static org.jspecify;

    exports io.verbs4j.async;
}
