// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.Devices;
import io.verbs4j.types.Gid;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// Two rxe devices at the ends of a separate wire, like the lab's. Packets of a test over it do not affect the counters
/// of other tests.
public final class TemporaryWire implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /// Third byte of the addresses of the first wire. Its routing tables and the positions of its rules are derived
    /// from its number.
    private static final int FIRST_NETWORK = 100;

    private final int number;

    /// Creates a wire.
    ///
    /// @param number 0 to 99
    public TemporaryWire(int number) {
        this.number = number;
        // The rules and routes are those of tools/lab.d/guest-main, which says why they are needed.
        batch("ip", """
            link add %1$s type veth peer name %2$s
            addr add %3$s/24 dev %1$s
            addr add %4$s/24 dev %2$s
            link set %1$s up
            link set %2$s up
            rule add pref %5$d iif %1$s lookup local
            rule add pref %6$d iif %2$s lookup local
            rule add pref %7$d from %3$s to %4$s lookup %9$d
            rule add pref %8$d from %4$s to %3$s lookup %10$d
            route add %4$s dev %1$s src %3$s table %9$d
            route add %3$s dev %2$s src %4$s table %10$d
            """.formatted(netdev(1), netdev(2), address(1), address(2), pref(1), pref(2), pref(1) + 200, pref(2) + 200,
                table(1), table(2)));
        batch("rdma", "link add %s type rxe netdev %s\nlink add %s type rxe netdev %s\n"
                .formatted(name(1), netdev(1), name(2), netdev(2)));
        for (int end = 1; end <= 2; end++) {
            Gid gid = gid(end);
            try (Context context = device(end).open()) {
                Eventually.until(
                        () -> context.gids(1)
                                .stream()
                                .anyMatch(entry -> entry.gid().equals(gid) && entry.index() == Rxe.IPV4_INDEX),
                        () -> "GIDs: " + context.gids(1));
            }
        }
    }

    private String netdev(int end) {
        return "wire" + number + (end == 1 ? "l" : "r");
    }

    private String name(int end) {
        return "rxew" + number + (end == 1 ? "l" : "r");
    }

    private String address(int end) {
        return "10.9." + (FIRST_NETWORK + number) + "." + end;
    }

    private int pref(int end) {
        return 300 + 2 * number + end;
    }

    private int table(int end) {
        return 1000 + 2 * number + end;
    }

    /// Returns the device at an end.
    ///
    /// @param end 1 or 2
    public Device device(int end) {
        return Devices.find(name(end));
    }

    /// Returns the GID at an end, which has the index [Rxe#IPV4_INDEX].
    ///
    /// @param end 1 or 2
    public Gid gid(int end) {
        return Rxe.gid((FIRST_NETWORK + number << Byte.SIZE) + end);
    }

    private static void batch(String program, String lines) {
        ExternalProcess.of(program, program.equals("ip") ? "-batch" : "-b", "-")
                .input(lines)
                .run(LIMIT)
                .requireSuccess();
    }

    /// Removes devices, rules and wire. Whoever has a device open must close it before.
    @Override
    public void close() {
        batch("rdma", "link delete %s\nlink delete %s\n".formatted(name(1), name(2)));
        for (int end = 1; end <= 2; end++) {
            String name = name(end);
            Eventually.until(
                    () -> !Files.exists(Path.of("/sys/class/infiniband", name)),
                    () -> name + " is still being removed");
        }
        batch("ip", """
            link delete %s
            rule del pref %d
            rule del pref %d
            rule del pref %d
            rule del pref %d
            """.formatted(netdev(1), pref(1), pref(2), pref(1) + 200, pref(2) + 200));
    }
}
