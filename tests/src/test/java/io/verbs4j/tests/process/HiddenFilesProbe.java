// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.process;

import io.verbs4j.Devices;
import io.verbs4j.tests.support.Probe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// The program that [HiddenFilesIT] starts with mounts of its own, where rdma-core is covered already.
final class HiddenFilesProbe {
    private HiddenFilesProbe() {}

    public static void main(String... arguments) {
        Probe.ask("bytes of rdma-core", HiddenFilesProbe::bytesOfRdmaCore);
        Probe.ask("without rdma-core", () -> {
            try (var context = Devices.open("rxe0")) {
                return Probe.writeToItself(context);
            }
        });
        hide("/dev/infiniband");
        Probe.ask("without nodes", () -> Devices.open("rxe0"));
        hide("/sys/class/infiniband_verbs");
        hide("/sys/class/infiniband");
        Probe.ask("list without devices", Devices::list);
        Probe.ask("without devices", () -> Devices.open("rxe0"));
        hide("/sys");
        Probe.ask("without sysfs", () -> Devices.open("rxe0"));
    }

    private static long bytesOfRdmaCore() throws IOException {
        long bytes = 0;
        try (Stream<Path> files = Files.find(Path.of("/usr/lib"), 3, (file, attributes) -> isOfRdmaCore(file))) {
            for (Path file : files.toList()) {
                bytes += Files.isDirectory(file) ? 0 : Files.size(file);
            }
        }
        return bytes;
    }

    private static boolean isOfRdmaCore(Path file) {
        String name = file.getFileName().toString();
        return name.startsWith("libibverbs") || name.startsWith("librdmacm") || name.startsWith("librxe");
    }

    private static void hide(String folder) {
        try {
            int code = new ProcessBuilder("mount", "-t", "tmpfs", "none", folder)
                    .inheritIO()
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new IllegalStateException("cannot hide " + folder + ": exit code " + code);
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
