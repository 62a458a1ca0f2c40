// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.kernel;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The address space of this process, as listed by `/proc/self/maps` (proc_pid_maps(5)). Reading that file is not a
/// kernel call of this library. On systems without it, all memory is considered mapped.
final class MappedMemory {
    private static final @Nullable Path MAPS = existing(Path.of("/proc/self/maps"));
    private static final int HEX = 16;
    private static final int WRITE = 1;

    private MappedMemory() {}

    private static @Nullable Path existing(Path file) {
        return Files.isReadable(file) ? file : null;
    }

    /// Returns whether the process can read every byte of a range.
    ///
    /// @param writing whether the bytes must be writable, too
    static boolean holds(long start, long length, boolean writing) {
        if (MAPS == null) {
            return true;
        }
        String maps;
        try {
            maps = new String(Files.readAllBytes(MAPS), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return true;
        }
        return holds(maps, start, length, writing);
    }

    /// Checks a range against the lines of the file, which are in address order: `7f0000000000-7f0000001000 rw-p …`.
    static boolean holds(String maps, long start, long length, boolean writing) {
        long reached = start;
        long end = start + length;
        for (int line = 0; line < maps.length() && Long.compareUnsigned(reached, end) < 0;) {
            int dash = maps.indexOf('-', line);
            int rights = maps.indexOf(' ', dash) + 1;
            long from = Long.parseUnsignedLong(maps, line, dash, HEX);
            long to = Long.parseUnsignedLong(maps, dash + 1, rights - 1, HEX);
            if (Long.compareUnsigned(from, reached) > 0) {
                return false;
            }
            if (Long.compareUnsigned(to, reached) > 0) {
                if (maps.charAt(rights) != 'r' || (writing && maps.charAt(rights + WRITE) != 'w')) {
                    return false;
                }
                reached = to;
            }
            int next = maps.indexOf('\n', rights);
            line = next < 0 ? maps.length() : next + 1;
        }
        return Long.compareUnsigned(reached, end) >= 0;
    }
}
