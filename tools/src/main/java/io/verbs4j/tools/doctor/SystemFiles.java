// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// The files that tell about the system; a test makes up its own.
///
/// @param root holds `sys`, `proc` and `lib`
record SystemFiles(Path root) {
    static final SystemFiles RUNNING = new SystemFiles(Path.of("/"));

    boolean exists(String path) {
        return Files.exists(root.resolve(path));
    }

    /// The contents without white space at the ends; empty if it cannot be read.
    String text(String path) {
        try {
            return Files.readString(root.resolve(path), StandardCharsets.ISO_8859_1).strip();
        } catch (IOException e) {
            return "";
        }
    }

    /// Where a link leads; empty if it cannot be read.
    String link(String path) {
        try {
            return Files.readSymbolicLink(root.resolve(path)).toString();
        } catch (IOException e) {
            return "";
        }
    }
}
