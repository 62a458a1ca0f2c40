// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.peers;

import io.verbs4j.tests.support.ExternalProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Sets up servers that are part of the kernel.
final class KernelServices {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private KernelServices() {}

    /// Loads a module, unless it is loaded.
    static void load(String module, String... parameters) {
        var command = new ArrayList<>(List.of("modprobe", module));
        command.addAll(List.of(parameters));
        run(command);
    }

    /// Mounts a file system without a disk, unless something is mounted there.
    static void mount(String type, Path folder) {
        if (ExternalProcess.of("mountpoint", "-q", folder.toString()).run(LIMIT).exitCode() != 0) {
            run(List.of("mount", "-t", type, type, folder.toString()));
        }
    }

    static void unmount(Path folder) {
        run(List.of("umount", folder.toString()));
    }

    private static void run(List<String> command) {
        ExternalProcess.of(command).run(LIMIT).requireSuccess();
    }

    /// Writes a line into a file of the kernel, in one system call.
    static void write(Path file, String line) {
        try {
            Files.write(file, (line + "\n").getBytes(StandardCharsets.US_ASCII), StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write \"" + line + "\" into " + file, e);
        }
    }
}
