// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.process;

import io.verbs4j.Devices;
import io.verbs4j.tests.support.Probe;

/// The program that [ChildProcessesIT] starts with other ways to make child processes.
final class ForkProbe {
    private ForkProbe() {}

    public static void main(String... arguments) {
        Probe.ask("traffic", () -> {
            try (var context = Devices.open("rxe0")) {
                return ChildrenUnderTraffic.run(context, 8).children() + " children";
            }
        });
    }
}
