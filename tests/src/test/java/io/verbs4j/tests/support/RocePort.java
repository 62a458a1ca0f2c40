// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import io.verbs4j.GidSelector;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// The UDP socket through which the kernel receives the packets of all rxe devices of a network namespace. rxe of Linux
/// 7.2 counts its devices by the references to this socket, and miscounts them ([#references()]). Older kernels keep
/// the socket.
public final class RocePort {
    /// The port at the end of an address, as `/proc/net/udp` writes it.
    public static final String AS_SUFFIX = ":%04X".formatted(GidSelector.ROCE_V2_PORT);

    /// Fields of a line there.
    private static final int LOCAL_ADDRESS_FIELD = 1;
    private static final int REFERENCES_FIELD = 10;

    private static final Path SOCKETS = Path.of("/proc/net/udp");
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private RocePort() {}

    /// Returns the number of references to the IPv4 socket: on Linux 7.2 two, plus one for each device after the first.
    ///
    /// @return 0 if there is no socket, so that no packets arrive at any device
    public static int references() {
        try (var lines = Files.lines(SOCKETS)) {
            return lines.map(line -> line.strip().split("\\s+"))
                    .filter(fields -> fields[LOCAL_ADDRESS_FIELD].endsWith(AS_SUFFIX))
                    .mapToInt(fields -> Integer.parseInt(fields[REFERENCES_FIELD]))
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Restores the number of references. A device that cannot be added because its name is in use leaves one behind.
    public static void restore(int references) {
        for (int missing = references - references(); missing > 0; missing--) {
            ExternalProcess.of("rdma", "link", "add", Rxe.LEFT, "type", "rxe", "netdev", "lo").run(LIMIT);
        }
    }
}
