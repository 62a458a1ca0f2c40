// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.site;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// Writes the site and fails if a link in it is dead.
public final class Main {
    private Main() {}

    /// Writes and checks.
    ///
    /// @param arguments the repository's folder, and the folder to write to
    public static void main(String[] arguments) throws IOException {
        Path repository = Path.of(arguments[0]).toRealPath();
        Path folder = Path.of(arguments[1]).toAbsolutePath();
        Site site = Site.of(repository).withApi();
        site.write(folder);
        List<String> faults = new LinkCheck(folder).faults();
        if (!faults.isEmpty()) {
            faults.forEach(System.err::println);
            System.err.println(faults.size() + " faults in the site");
            System.exit(1);
        }
        System.out.println("site: " + folder.resolve("index.html"));
    }
}
