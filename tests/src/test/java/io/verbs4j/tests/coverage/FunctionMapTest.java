// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The table of libibverbs' functions leaves none out, and names what there is.
class FunctionMapTest {
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
    void hasNoTestForWhatIsNotThere() {
        assertThat(ENTRIES.stream()
                .filter(entry -> entry.javaNames().isEmpty())
                .map(FunctionMap.Entry::function))
                .doesNotContainAnyElementsOf(TestClasses.coveredFunctions().keySet());
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
