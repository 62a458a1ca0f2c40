// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import io.verbs4j.Context;
import io.verbs4j.Devices;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A test's own rxe device on its own network interface, for actions that would disturb other tests: link changes,
/// address changes, removal. Two queue pairs on it can be connected.
public final class TemporaryRxe implements AutoCloseable {
    /// Name of the device.
    public static final String NAME = "rxe7";

    /// One end of a pair of virtual Ethernet interfaces, on which the device is.
    public static final String INTERFACE = "veth70";

    private static final String OTHER_END = "veth71";
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /// References to rxe's socket before: a removal may cost some.
    private final int references;

    /// Makes it, with the address 10.9.70.1.
    public TemporaryRxe() {
        if (Simulated.isUsed()) {
            Simulated.host().addDevice(NAME);
            try (Context context = open()) {
                Simulated.device(NAME).removeAddress(context.gid(1, Rxe.IPV4_INDEX).gid().toInetAddress());
            }
            address("add", "10.9.70.1/24");
            references = 0;
            return;
        }
        references = RocePort.references();
        run("ip", "link", "add", INTERFACE, "type", "veth", "peer", "name", OTHER_END);
        try {
            run("ip", "address", "add", "10.9.70.1/24", "dev", INTERFACE);
            run("ip", "link", "set", INTERFACE, "up");
            run("ip", "link", "set", OTHER_END, "up");
            run("rdma", "link", "add", NAME, "type", "rxe", "netdev", INTERFACE);
            // Whatever the addresses bring about is over, so that a test sees its own events only.
            try (Context context = open()) {
                Eventually.until(() -> context.gids(1).size() >= 2, () -> "GIDs: " + context.gids(1));
            }
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /// Opens it.
    public Context open() {
        return Devices.open(NAME);
    }

    /// Changes the network interface: `ip link set dev INTERFACE …`.
    public void setLink(String... what) {
        if (Simulated.isUsed()) {
            switch (what[0]) {
                case "mtu" -> Simulated.device(NAME).mtu(Integer.parseInt(what[1]));
                default -> Simulated.device(NAME).link(what[0].equals("up"));
            }
            return;
        }
        var command = new ArrayList<>(List.of("ip", "link", "set", "dev", INTERFACE));
        command.addAll(List.of(what));
        run(command.toArray(String[]::new));
    }

    /// Adds or deletes an address of the network interface: `ip address add ADDRESS dev INTERFACE`.
    public void address(String what, String address) {
        if (Simulated.isUsed()) {
            InetAddress plain = InetAddress.ofLiteral(address.substring(0, address.indexOf('/')));
            if (what.equals("add")) {
                Simulated.device(NAME).addAddress(plain);
            } else {
                Simulated.device(NAME).removeAddress(plain);
            }
            return;
        }
        run("ip", "address", what, address, "dev", INTERFACE);
    }

    /// Starts to remove the device. On rxe that lasts until nobody has it open any more.
    public ExternalProcess.Running startRemoval() {
        return ExternalProcess.of("rdma", "link", "delete", NAME).start();
    }

    /// Returns whether programs still find it.
    public static boolean isListed() {
        return Devices.list().stream().anyMatch(device -> device.name().equals(NAME));
    }

    private static void run(String... command) {
        ExternalProcess.of(command).run(LIMIT).requireSuccess();
    }

    /// Removes device and interface, unless a test has done so. Whoever has the device open must close it before.
    @Override
    public void close() {
        if (Simulated.isUsed()) {
            Simulated.host().removeDevice(NAME);
            return;
        }
        if (isListed()) {
            run("rdma", "link", "delete", NAME);
        }
        Eventually.until(
                () -> !Files.exists(Path.of("/sys/class/infiniband", NAME)), () -> NAME + " is still being removed");
        if (Files.exists(Path.of("/sys/class/net", INTERFACE))) {
            run("ip", "link", "delete", INTERFACE);
        }
        RocePort.restore(references);
    }
}
