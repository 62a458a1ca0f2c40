// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import java.nio.file.Files;
import java.nio.file.Path;

/// Where the project is, above the folder where the tests run.
public final class Repository {
    private Repository() {}

    /// A program of the folder `tools`.
    public static Path tool(String name) {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.isExecutable(folder.resolve("tools").resolve(name))) {
            folder = folder.getParent();
            if (folder == null) {
                throw new IllegalStateException("no tools/" + name + " above " + Path.of("").toAbsolutePath());
            }
        }
        return folder.resolve("tools").resolve(name);
    }
}
