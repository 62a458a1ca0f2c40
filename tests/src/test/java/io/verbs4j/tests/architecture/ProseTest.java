// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Comments, help texts and pages are plain English: a summary begins with what is described, not with a clause about it.
class ProseTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern CLAUSE = Pattern.compile("\\s*/// (What|Whether) .*");
    /// Old or roundabout for "while this waits", "for users", "the outcome of" and "reports".
    private static final Pattern WORDS = Pattern.compile(
            "\\b(mean" + "while|for " + "people|of " + "old|what becomes" + " of|tel" + "ls)\\b",
            Pattern.CASE_INSENSITIVE);

    private static List<Path> files(String ending) throws IOException {
        var files = new ArrayList<Path>();
        try (Stream<Path> parts = Files.list(ROOT)) {
            for (Path part : parts.toList()) {
                if (Files.isRegularFile(part)) {
                    files.add(part);
                } else if (Files.isDirectory(part.resolve("src")) || part.endsWith("docs")) {
                    try (Stream<Path> below = Files.walk(part.endsWith("docs") ? part : part.resolve("src"))) {
                        below.filter(Files::isRegularFile).forEach(files::add);
                    }
                }
            }
        }
        files.removeIf(file -> !file.toString().endsWith(ending));
        assertThat(files).hasSizeGreaterThan(3);
        return files;
    }

    @Test
    void noSummaryIsAClause() throws IOException {
        var found = new ArrayList<String>();
        for (Path file : files(".java")) {
            String before = "";
            for (String line : Files.readAllLines(file)) {
                if (CLAUSE.matcher(line).matches() && !before.strip().startsWith("///")) {
                    found.add(file + ": " + line.strip());
                }
                before = line;
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void noWordIsOneThatTheHouseDoesNotUse() throws IOException {
        var found = new ArrayList<String>();
        for (String ending : List.of(".java", ".md")) {
            for (Path file : files(ending)) {
                if (file.endsWith("CHANGELOG.md")) {
                    continue;
                }
                for (String line : Files.readAllLines(file)) {
                    if (WORDS.matcher(line).find()) {
                        found.add(file + ": " + line.strip());
                    }
                }
            }
        }
        assertThat(found).isEmpty();
    }
}
