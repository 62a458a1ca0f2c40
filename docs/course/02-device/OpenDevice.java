// SPDX-License-Identifier: Apache-2.0
import io.verbs4j.*;
import io.verbs4j.tracing.*;

void main() {
    for (Device device : Devices.list()) {
        IO.println("%s: %s, driver %d with ABI %d, provider %s, on %s".formatted(
                device.name(), device.node(), device.driverId(), device.driverAbiVersion(),
                device.providerName().orElse("none"), device.networkInterface().orElse("no interface")));
    }
    try (var _ = Tracing.start(this::show, false);
            var context = Devices.open("rxe0")) {
        IO.println("-- asking");
        var limits = context.attributes();
        var port = context.port(1);
        var gid = context.gid(1, 1);
        IO.println("-- knowing");
        IO.println("queue pairs: at most " + limits.maxQueuePairs());
        IO.println("port 1: " + port.state() + ", active MTU " + port.activeMtu());
        IO.println("GID 1: " + gid.gid() + ", " + gid.type());
        IO.println("-- closing");
    }
}

void show(TraceEntry entry) {
    IO.println("  " + entry.command() + "(" + entry.arguments() + ")");
}
