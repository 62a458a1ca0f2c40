// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Recorded results, which a test compares. With the system property `verbs4j.record`, the test writes the file anew
/// and fails, so that a person reads the changes.
public final class Recording {
    private Recording() {}

    /// Returns whether the file is to be written.
    public static boolean isWanted() {
        return System.getProperty("verbs4j.record") != null;
    }

    /// Asserts that the lines are those of the file. If the file is to be written, writes it and fails.
    public static void compare(Path file, List<String> lines) throws IOException {
        if (isWanted()) {
            write(file, lines);
        }
        assertThat(lines).isEqualTo(Files.readAllLines(file));
    }

    /// Writes the file, and fails.
    public static void write(Path file, List<String> lines) throws IOException {
        Files.createDirectories(file.getParent());
        Files.write(file, lines);
        throw new AssertionError("recorded: read the changes, and run without verbs4j.record");
    }
}
