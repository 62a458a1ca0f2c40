// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Each quirk in docs/rxe-quirks.md has a test that exists, each workaround of the provider is named there, and each
/// reproduction has a page that the table links to.
class QuirkTableTest {
    private static final Path REPOSITORY = Path.of("..");

    @Test
    void namesATestForEachQuirk() throws IOException {
        List<Path> sources;
        try (Stream<Path> files = Files.walk(REPOSITORY)) {
            sources = files.filter(file -> file.toString().contains("/src/test/java/")
                    && file.toString().endsWith(".java"))
                    .toList();
        }
        try (Stream<String> lines = Files.lines(REPOSITORY.resolve("docs/rxe-quirks.md"))) {
            var tests = lines.filter(line -> line.startsWith("| ")
                    && !line.startsWith("| ---")
                    && !line.contains("| symptom |"))
                    .map(line -> line.substring(line.lastIndexOf(" | ") + 3, line.length() - 2))
                    .toList();
            assertThat(tests)
                    .isNotEmpty()
                    .allMatch(test -> test.matches("`\\w+(\\.\\w+)+`"), "is `Class.method`")
                    .allMatch(test -> exists(sources, test.substring(1, test.length() - 1)), "exists");
        }
    }

    /// The last table describes librxe, which verbs4j does not use.
    @Test
    void namesTheCodeOfWhatVerbs4jDoes() throws IOException {
        Pattern names = Pattern.compile(".* [(](`\\w+`(?:, `\\w+`)*)[)][.]");
        Set<String> classes;
        try (Stream<Path> files = Files.walk(REPOSITORY)) {
            classes = files.map(Path::toString)
                    .filter(file -> file.contains("/src/main/java/") && file.endsWith(".java"))
                    .map(file -> "`" + file.substring(file.lastIndexOf('/') + 1, file.lastIndexOf('.')) + "`")
                    .collect(Collectors.toSet());
        }
        String page = Files.readString(REPOSITORY.resolve("docs/rxe-quirks.md"));
        assertThat(page.substring(0, page.indexOf("## librxe"))
                .lines()
                .filter(line -> line.startsWith("| ") && !line.contains("| symptom |"))
                .map(line -> line.split(" [|] ")[2])
                .filter(action -> action.contains("verbs4j")))
                .hasSizeGreaterThan(20)
                .allSatisfy(action -> {
                    var matcher = names.matcher(action);
                    assertThat(matcher.matches()).as("ends with the names of classes: %s", action).isTrue();
                    assertThat(classes).contains(matcher.group(1).split(", "));
                });
    }

    @Test
    void namesEachWorkaround() throws IOException {
        String table = Files.readString(REPOSITORY.resolve("docs/rxe-quirks.md"));
        Path workarounds = REPOSITORY.resolve("provider-rxe/src/main/java/io/verbs4j/rxe/quirks");
        try (Stream<Path> files = Files.list(workarounds)) {
            assertThat(files.map(file -> file.getFileName().toString().replace(".java", ""))
                    .filter(name -> !name.equals("package-info")))
                    .hasSizeGreaterThan(5)
                    .allSatisfy(name -> assertThat(table).contains("(`" + name + "`). |"));
        }
    }

    @Test
    void hasAPageForEachReproduction() throws IOException {
        String table = Files.readString(REPOSITORY.resolve("docs/rxe-quirks.md"));
        try (Stream<Path> files = Files.list(REPOSITORY.resolve("tools/reproductions"))) {
            assertThat(files.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches("[a-z]+-[a-z-]+[.]\\w+")))
                    .hasSizeGreaterThan(15)
                    .allSatisfy(name -> {
                        String page = "rxe-quirks/" + name.substring(0, name.indexOf('.')) + ".md";
                        assertThat(table).contains("(" + page + ")");
                        assertThat(Files.readString(REPOSITORY.resolve("docs").resolve(page)))
                                .contains("tools/reproductions/" + name, "## Cause", "## Reproduction",
                                        "## Workaround");
                    });
        }
    }

    private static boolean exists(List<Path> sources, String test) {
        String file = "/" + test.substring(0, test.indexOf('.')) + ".java";
        String method = " void " + test.substring(test.lastIndexOf('.') + 1) + "(";
        return sources.stream().filter(source -> source.toString().endsWith(file)).anyMatch(source -> {
            try {
                return Files.readString(source).contains(method);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
