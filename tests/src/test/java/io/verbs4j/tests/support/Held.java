// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Counts the resources of this process.
///
/// @param descriptors descriptors of verbs4j
/// @param kilobytes resident memory
public record Held(int descriptors, int identifiers, int objects, long kilobytes) {
    private static final int KILOBYTES = 32 * 1024;

    /// Collects garbage, and counts.
    public static Held now() throws IOException {
        System.gc();
        String status = Files.readString(Path.of("/proc/self/status"));
        long resident = status.lines()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .sum();
        return new Held(
                LeakCheck.descriptors().size(),
                LeakCheck.identifiers().size(),
                LeakCheck.objectsOfContexts().size(),
                resident);
    }

    /// Requires that no more is held than before.
    ///
    /// @param memory whether to check the memory, too, with room for what the virtual machine compiles and collects
    public void requireNoMoreThan(Held before, boolean memory) {
        // A thread that took events may hold one file a moment longer.
        assertThat(descriptors).isLessThanOrEqualTo(before.descriptors + 3);
        assertThat(identifiers).isLessThanOrEqualTo(before.identifiers);
        assertThat(objects).isLessThanOrEqualTo(before.objects);
        if (memory) {
            assertThat(kilobytes).isLessThan(before.kilobytes + KILOBYTES);
        }
    }
}
