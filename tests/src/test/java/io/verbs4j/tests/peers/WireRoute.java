// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.peers;

import io.verbs4j.tests.support.ExternalProcess;
import java.time.Duration;

/// A route by which programs without a source address reach the right device over the wire. Otherwise, the kernel takes
/// the right device for both ends, whose packets then cross no wire.
final class WireRoute implements AutoCloseable {
    private static final String RULE = "pref 25 iif lo to 10.9.0.2 lookup 101";

    WireRoute() {
        run("add");
    }

    private static void run(String action) {
        ExternalProcess.of(("ip rule " + action + " " + RULE).split(" ")).run(Duration.ofSeconds(10)).requireSuccess();
    }

    @Override
    public void close() {
        run("delete");
    }
}
