// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.LeakCheck;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// A snapshot of the objects, files and memory of the process.
///
/// @param kernelObjects verbs objects in the kernel
/// @param descriptors open files of devices and events
/// @param rings number of mapped rings
/// @param files all open files
/// @param mappings all mappings
/// @param heap reachable bytes
/// @param resident resident memory of the process in KiB
record Holdings(
        int kernelObjects, int descriptors, int rings, long files, long mappings, long heap, long resident) {
    /// The virtual machine's own, such as code that it has compiled.
    private static final long FEW = 64;

    private static final long HEAP_BYTES = 16 << 20;
    private static final long RESIDENT_KIB = 512 << 10;

    static Holdings now() {
        for (int i = 0; i < 3; i++) {
            System.gc(); // also what cleaners hold
        }
        var runtime = Runtime.getRuntime();
        return new Holdings(
                LeakCheck.kernelObjects().size(),
                LeakCheck.descriptors().size(),
                LeakCheck.mappings().size(),
                entries("/proc/self/fd"),
                lines("/proc/self/maps"),
                runtime.totalMemory() - runtime.freeMemory(),
                residentKib());
    }

    /// Requires that no more is held than before, but for what the virtual machine takes for itself.
    void requireNoMoreThan(Holdings before) {
        assertThat(kernelObjects).as("verbs objects in the kernel").isEqualTo(before.kernelObjects);
        assertThat(descriptors).as("open files of devices").isEqualTo(before.descriptors);
        assertThat(rings).as("mapped rings").isEqualTo(before.rings);
        assertThat(files).as("open files").isLessThan(before.files + FEW);
        assertThat(mappings).as("mappings").isLessThan(before.mappings + FEW);
        assertThat(heap).as("reachable bytes on the heap").isLessThan(before.heap + HEAP_BYTES);
        assertThat(resident).as("resident KiB").isLessThan(before.resident + RESIDENT_KIB);
    }

    private static long entries(String folder) {
        try (Stream<Path> entries = Files.list(Path.of(folder))) {
            return entries.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long lines(String file) {
        try (Stream<String> lines = Files.lines(Path.of(file))) {
            return lines.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long residentKib() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
