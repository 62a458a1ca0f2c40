// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.process;

import io.verbs4j.Devices;
import io.verbs4j.tests.support.Probe;
import io.verbs4j.types.Access;

/// The program that [LimitedObjectsIT] starts in a control group that may have one context and four objects.
final class LimitedObjectsProbe {
    private LimitedObjectsProbe() {}

    public static void main(String... arguments) {
        try (var context = Devices.open("rxe0")) {
            var domain = context.allocateProtectionDomain();
            var queue = context.createCompletionQueue(16);
            domain.allocate(64, Access.LOCAL_WRITE);
            domain.allocate(64, Access.LOCAL_WRITE);
            Probe.ask("region", () -> domain.allocate(64, Access.LOCAL_WRITE));
            Probe.ask("queue pair", () -> domain.reliableConnection(queue).create());
            Probe.ask("completion queue", () -> context.createCompletionQueue(16));
            Probe.ask("context", () -> Devices.open("rxe0"));
        }
        Probe.ask("context after a close", () -> {
            try (var context = Devices.open("rxe0")) {
                return context.allocateProtectionDomain().isClosed();
            }
        });
    }
}
