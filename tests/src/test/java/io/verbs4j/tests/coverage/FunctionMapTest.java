// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.TestClasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The table of libibverbs' functions leaves none out, names what there is, and each thing that it names has a test.
class FunctionMapTest {
    private static final Path TABLE = Path.of("../docs/verbs-coverage.md");
    private static final List<FunctionMap.Entry> ENTRIES = FunctionMap.entries();

    @Test
    void hasEveryFunctionOfTheHeaderOnce() {
        assertThat(ENTRIES.stream().map(FunctionMap.Entry::function))
                .containsExactlyInAnyOrderElementsOf(FunctionMap.functionsOfTheHeader());
    }

    @Test
    void namesMembersThatExist() {
        assertThat(ENTRIES.stream()
                .flatMap(entry -> entry.javaNames().stream())
                .distinct()
                .filter(name -> !exists(name)))
                .isEmpty();
    }

    @Test
    void isAllThatTestsSayTheyProve() {
        assertThat(TestClasses.coveredFunctions().keySet()).isSubsetOf(FunctionMap.functionsOfTheHeader());
    }

    @Test
    void hasATestForEverythingThatIsThereInJava() {
        assertThat(ENTRIES.stream()
                .filter(entry -> !entry.javaNames().isEmpty())
                .map(FunctionMap.Entry::function))
                .isSubsetOf(TestClasses.coveredFunctions().keySet());
    }

    @Test
    void isInTheTable() throws IOException {
        String table = Files.readString(TABLE);
        assertThat(
                ENTRIES.stream().map(FunctionMap.Entry::function).filter(name -> !table.contains("| `" + name + "` |")))
                .as("not in %s: tools/lab coverage makes it anew", TABLE)
                .isEmpty();
    }

    @Test
    void isInATableThatNamesTestsThatExist() throws IOException {
        Set<String> methods = TestClasses.methods().keySet();
        Set<String> classes = TestClasses.all().stream().map(TestClasses::name).collect(Collectors.toSet());
        try (Stream<String> lines = Files.lines(TABLE)) {
            assertThat(lines.filter(line -> line.startsWith("| `"))
                    .map(line -> line.substring(line.lastIndexOf(" | ") + 3, line.length() - 2))
                    .flatMap(tests -> Arrays.stream(tests.split(", ")))
                    .map(test -> test.replaceFirst(" \\(.*", ""))
                    .filter(test -> !test.isEmpty() && !methods.contains(test) && !classes.contains(test)))
                    .as("named in %s: tools/lab coverage makes it anew", TABLE)
                    .isEmpty();
        }
    }

    private static boolean exists(String name) {
        String[] parts = name.split("\\.", 2);
        return Stream.of("io.verbs4j.", "io.verbs4j.types.").anyMatch(prefix -> {
            try {
                Class<?> type = Class.forName(prefix + parts[0]);
                return Stream.concat(Arrays.stream(type.getMethods()), Arrays.stream(type.getFields()))
                        .anyMatch(member -> member.getName().equals(parts[1]));
            } catch (ClassNotFoundException e) {
                return false;
            }
        });
    }
}
