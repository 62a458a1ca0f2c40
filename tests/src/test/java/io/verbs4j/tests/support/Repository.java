// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import java.nio.file.Files;
import java.nio.file.Path;

/// Folder of the project, above the folder where the tests run.
public final class Repository {
    private Repository() {}

    /// The project's folder.
    public static Path folder() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.isExecutable(folder.resolve("tools/lab"))) {
            folder = folder.getParent();
            if (folder == null) {
                throw new IllegalStateException("no tools/lab above " + Path.of("").toAbsolutePath());
            }
        }
        return folder;
    }

    /// A program of the folder `tools`.
    public static Path tool(String name) {
        return file("tools/" + name);
    }

    /// A file, by its path within the project.
    public static Path file(String path) {
        return folder().resolve(path);
    }
}
