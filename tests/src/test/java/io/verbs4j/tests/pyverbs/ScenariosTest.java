// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.pyverbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// One test contains each scenario of rdma-core's Python suite, and the table of them is up to date.
class ScenariosTest {
    private static final Path TABLE = Path.of("../docs/pyverbs-scenarios.md");

    @Test
    void areInOneTestEach() {
        assertThat(ScenarioTable.tests())
                .allSatisfy((scenario, test) -> assertThat(test).as(scenario).doesNotContain(", "));
        assertThat(ScenarioTable.tests().keySet())
                .allMatch(name -> name.matches("test_[a-z_]+\\.[A-Za-z]+\\.test_[a-z0-9_]+"));
    }

    @Test
    void areInTheTableWithTheirTests() throws IOException {
        try (Stream<String> lines = Files.lines(TABLE)) {
            var rows = lines.filter(line -> line.startsWith("| test_"))
                    .map(line -> line.split(" \\| "))
                    .filter(cells -> !cells[1].equals("–"))
                    .map(cells -> Map.entry(cells[0].substring(2), cells[1]))
                    .toList();
            assertThat(rows)
                    .as("in %s: tools/lab pyverbs --update makes it anew", TABLE)
                    .containsExactlyInAnyOrderElementsOf(ScenarioTable.tests().entrySet());
        }
    }

    @Test
    void areExplainedWhereTheyDiffer() {
        assertThat(ScenarioTable.explanations().values()).isNotEmpty().allMatch(why -> why.length() > 10);
    }
}
