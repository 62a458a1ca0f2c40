// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

/// The logger `io.verbs4j.cm`, a platform [System.Logger]. It reports events of threads that no program waits for.
final class Log {
    static final System.Logger LOGGER = System.getLogger("io.verbs4j.cm");

    private Log() {}
}
