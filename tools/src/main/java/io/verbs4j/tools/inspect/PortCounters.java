// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.inspect;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The counters of a port, from the folders `hw_counters` and `counters` of sysfs: those of the driver, and those of
/// InfiniBand.
final class PortCounters {
    private static final String[] FOLDERS = {"counters", "hw_counters"};

    private PortCounters() {}

    /// The values by name; without any if the device has none, or is gone.
    ///
    /// @param port such as `/sys/class/infiniband/rxe0/ports/1`
    static Map<String, Long> read(Path port) {
        var values = new TreeMap<String, Long>();
        for (String folder : FOLDERS) {
            try (Stream<Path> files = Files.list(port.resolve(folder))) {
                files.forEach(file -> add(file, values));
            } catch (IOException e) {
                // This kind of counters is not there.
            }
        }
        return values;
    }

    /// `lifespan` says for how long the driver keeps values, and is no counter.
    private static void add(Path file, Map<String, Long> values) {
        String name = String.valueOf(file.getFileName());
        try {
            if (!name.equals("lifespan")) {
                values.put(name, Long.parseUnsignedLong(Files.readString(file).strip()));
            }
        } catch (IOException | NumberFormatException e) {
            // It cannot be read, as some of hardware, or is something else.
        }
    }
}
