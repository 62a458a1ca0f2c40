// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

/// The logger `io.verbs4j.cm`, a platform [System.Logger]. It reports events in threads that run in the background.
final class Log {
    static final System.Logger LOGGER = System.getLogger("io.verbs4j.cm");

    private Log() {}
}
