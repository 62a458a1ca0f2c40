// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.process;

import io.verbs4j.Devices;
import io.verbs4j.tests.support.Probe;

/// The program that [RefusedPlatformTest] starts.
final class RefusedPlatformProbe {
    private RefusedPlatformProbe() {}

    public static void main(String... arguments) {
        Probe.ask("list", Devices::list);
        Probe.ask("open", () -> {
            try (var context = Devices.open("rxe0")) {
                return context.device().name();
            }
        });
        Probe.ask("open again", () -> Devices.open("rxe0"));
    }
}
