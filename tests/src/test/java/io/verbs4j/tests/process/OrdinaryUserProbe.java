// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.process;

import io.verbs4j.Device;
import io.verbs4j.Devices;
import io.verbs4j.abi.os.PacketSocket;
import io.verbs4j.tests.support.Probe;
import io.verbs4j.types.Access;

/// The program that [OrdinaryUserIT] starts as another user.
final class OrdinaryUserProbe {
    private OrdinaryUserProbe() {}

    public static void main(String... arguments) {
        Probe.ask("list", () -> Devices.list().stream().map(Device::name).toList());
        Probe.ask("open", () -> Devices.open("rxe0"));
        Probe.ask("capture", () -> PacketSocket.open(1, 4791));
        try (
                var context = Devices.open("rxe1");
                var domain = context.allocateProtectionDomain()) {
            Probe.ask("traffic", () -> Probe.writeToItself(context));
            Probe.ask("register much", () -> domain.allocate(1 << 20, Access.LOCAL_WRITE));
            Probe.ask("privileged Q_Key", () -> {
                try (
                        var queue = context.createCompletionQueue(1);
                        var prepared =
                                domain.datagram(queue).qkey(0x8000_0000).prepare()) {
                    return prepared.endpoint();
                }
            });
            Probe.ask("register little", () -> {
                try (var region = domain.allocate(4096, Access.LOCAL_WRITE)) {
                    return region.length() + " bytes";
                }
            });
        }
    }
}
