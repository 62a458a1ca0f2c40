// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A file in the lab's folder of results that tests append lines to. The lines are written once per class, because the
/// folder is the machine's, and writing to it takes the guest longer than most tests. Outside the lab, nothing is
/// written.
public final class ResultFile {
    private final String name;
    private final StringBuffer lines = new StringBuffer();

    /// @param name of the file
    public ResultFile(String name) {
        this.name = name;
    }

    /// Adds a line of values, with tabs between them.
    public void add(String... values) {
        lines.append(String.join("\t", values)).append('\n');
    }

    /// Writes what has been added since.
    public void write() {
        var folder = System.getenv("LAB_RESULTS");
        if (folder == null || lines.isEmpty()) {
            return;
        }
        try {
            Files.writeString(Path.of(folder, name), lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        lines.setLength(0);
    }
}
