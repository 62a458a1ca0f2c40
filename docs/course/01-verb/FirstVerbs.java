// SPDX-License-Identifier: Apache-2.0
import io.verbs4j.*;
import io.verbs4j.tracing.*;

void main() {
    try (var _ = Tracing.start(this::show, false);
            var context = Devices.open("rxe0");
            var domain = context.allocateProtectionDomain();
            var queue = context.createCompletionQueue(100)) {
        IO.println("have " + domain + " and " + queue);
    }
}

/// Prints one system call.
void show(TraceEntry entry) {
    IO.println("%-28s %-22s %s".formatted(entry.verb(), entry.transport(), entry.command()));
}
