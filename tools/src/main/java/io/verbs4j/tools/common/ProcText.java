// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.common;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// The text of files below `/proc`.
public final class ProcText {
    private ProcText() {}

    /// Reads a file as UTF-8. Other bytes are replaced: an argument may contain them, and the kernel may cut a name
    /// within a character.
    public static String read(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }
}
