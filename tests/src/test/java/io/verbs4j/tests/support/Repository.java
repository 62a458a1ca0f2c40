// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import java.nio.file.Files;
import java.nio.file.Path;

/// Where the project is, above the folder where the tests run.
public final class Repository {
    private Repository() {}

    /// A program of the folder `tools`.
    public static Path tool(String name) {
        return above(Path.of("tools", name)).resolve("tools").resolve(name);
    }

    /// The project's folder.
    public static Path folder() {
        return above(Path.of("tools", "lab"));
    }

    private static Path above(Path program) {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.isExecutable(folder.resolve(program))) {
            folder = folder.getParent();
            if (folder == null) {
                throw new IllegalStateException("no " + program + " above " + Path.of("").toAbsolutePath());
            }
        }
        return folder;
    }
}
