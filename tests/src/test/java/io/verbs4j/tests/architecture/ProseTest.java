// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Comments, help texts, names and pages are plain English: a summary begins with what is described, not with a clause about it.
class ProseTest {
    private static final Path ROOT = Path.of("..");
    private static final Set<String> OTHERS = Set.of("target", ".git", ".fast", ".mvn", ".idea", "__pycache__");
    private static final Set<String> ENDINGS =
            Set.of("java", "md", "py", "sh", "c", "h", "js", "html", "xml", "yml", "txt", "litmus");
    private static final String BEGINNINGS = "(What|Whether|How|Where|Who|Why|When|Which) ";
    private static final Pattern SUMMARY = Pattern.compile("\\s*/// " + BEGINNINGS + ".*");
    private static final Pattern ELSEWHERE = Pattern.compile("\\s*\"\"\"" + BEGINNINGS + ".*" // Python
            + "|.*<description>" + BEGINNINGS + ".*" // Maven
            + "|.*\\b(description|header) = \"" + BEGINNINGS + ".*" // help
            + "|#+ (What|Whether) .*"); // headings
    /// Old or roundabout for "while this waits", "for users", "the outcome of" and "reports".
    private static final Pattern WORDS =
            Pattern.compile("mean" + "while|\\b(for " + "people|of " + "old|what becomes" + " of)\\b",
                    Pattern.CASE_INSENSITIVE);
    /// The verb for which the field has "reports", "records", "says" and "distinguishes": as a word, and in a name.
    private static final Pattern VERB = Pattern.compile("(?<![A-Za-z])([Tt]" + "ell(s|er|ing)?|[Tt]" + "old)(?![a-z])"
            + "|(?<=[a-z])(T" + "ell(s|ing)?|T" + "old)(?![a-z])|(?<![A-Z])(T" + "ELLS?|T" + "OLD)(?![A-Z])");

    /// Returns the files that persons write; scripts have no ending.
    private static List<Path> files() throws IOException {
        var files = new ArrayList<Path>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return OTHERS.contains(folder.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                String name = file.getFileName().toString();
                boolean script = name.indexOf('.') < 0 && file.startsWith(ROOT.resolve("tools"));
                if (attributes.isRegularFile()
                        && (script || ENDINGS.contains(name.substring(name.lastIndexOf('.') + 1)))) {
                    files.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        assertThat(files).hasSizeGreaterThan(3);
        return files;
    }

    @Test
    void noSummaryIsAClause() throws IOException {
        var found = new ArrayList<String>();
        for (Path file : files()) {
            String before = "";
            for (String line : Files.readAllLines(file)) {
                boolean summary = SUMMARY.matcher(line).matches() && !before.strip().startsWith("///");
                if (summary || ELSEWHERE.matcher(line).matches()) {
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
        for (Path file : files()) {
            for (String line : Files.readAllLines(file)) {
                if (WORDS.matcher(line).find() || VERB.matcher(line).find()) {
                    found.add(file + ": " + line.strip());
                }
            }
        }
        assertThat(found).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Main.java", "README.md", "lab", "say.py", "build.sh", "oracle.c", "guest-main"})
    void filesOfEachKindAreRead(String name) throws IOException {
        assertThat(files()).anyMatch(file -> file.endsWith(name));
    }
}
