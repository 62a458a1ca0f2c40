// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.mutations.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// The modules of a project, as its `pom.xml` lists them.
public final class Modules {
    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
    private static final Pattern OPTIONS = Pattern.compile("<argLine>([^$]+?)</argLine>");

    /// Modules whose code is not used by programs: examples, the site's generator, and stress tests.
    private static final Set<String> LEFT_OUT = Set.of("examples", "site", "stress");

    private Modules() {}

    /// Returns the modules with code that programs use.
    public static List<String> all(Path root) {
        return MODULE.matcher(text(root.resolve("pom.xml")))
                .results()
                .map((MatchResult module) -> module.group(1))
                .filter(module -> Files.exists(root.resolve(module).resolve("src/main/java")))
                .filter(module -> !LEFT_OUT.contains(module))
                .toList();
    }

    /// Returns the options of the JVM in which Maven runs a module's tests, or the usual ones if its file has none or
    /// derives them from a property.
    public static List<String> options(Path module) {
        var options = OPTIONS.matcher(text(module.resolve("pom.xml")));
        return options.find() ? List.of(options.group(1).split(" ")) : List.of("--enable-native-access=ALL-UNNAMED");
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
