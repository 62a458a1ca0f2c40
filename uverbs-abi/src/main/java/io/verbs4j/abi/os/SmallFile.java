// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// The result of opening and reading a file by system calls, for the errno that Java's classes do not report.
///
/// @param opening negated error number of `open(2)`; 0 if it succeeded
/// @param text the contents, at most 4096 bytes; empty if reading failed
public record SmallFile(int opening, String text) {
    private static final int BYTES = 4096;
    private static final int READ_ONLY = 0;

    /// Opens a file or folder.
    ///
    /// @return 0, or a negated errno
    public static int tryOpening(Path file) {
        try (Arena arena = Arena.ofConfined()) {
            int fd = open(file, arena);
            if (fd >= 0) {
                Syscalls.close(fd);
            }
            return Math.min(fd, 0);
        }
    }

    /// Opens and reads a file.
    public static SmallFile read(Path file) {
        try (Arena arena = Arena.ofConfined()) {
            int fd = open(file, arena);
            if (fd < 0) {
                return new SmallFile(fd, "");
            }
            MemorySegment bytes = arena.allocate(BYTES);
            long count = Syscalls.read(fd, bytes);
            Syscalls.close(fd);
            byte[] read = bytes.asSlice(0, Math.max(count, 0)).toArray(ValueLayout.JAVA_BYTE);
            return new SmallFile(0, new String(read, StandardCharsets.UTF_8));
        }
    }

    private static int open(Path file, Arena arena) {
        Platform.check();
        return Syscalls.open(arena.allocateFrom(file.toString()), READ_ONLY | LinuxConstants.O_CLOEXEC);
    }
}
