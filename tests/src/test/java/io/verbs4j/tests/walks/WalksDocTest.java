// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// docs/walks.md shows the tables that the model and the replay ask.
class WalksDocTest {
    @Test
    void showsTheQuirks() throws IOException {
        assertShown(
                "quirks",
                "| name | kernels | sections | symptom |\n| --- | --- | --- | --- |\n"
                        + Arrays.stream(Quirk.values())
                                .map(quirk -> "| `%s` | %s | %s | %s |\n"
                                        .formatted(quirk, quirk.kernels, quirk.sections, quirk.symptom))
                                .collect(Collectors.joining()));
    }

    @Test
    void showsTheDifferences() throws IOException {
        assertShown(
                "differences",
                "| name | library | difference from verbs4j | the replay |\n| --- | --- | --- | --- |\n"
                        + Arrays.stream(Difference.values())
                                .map(difference -> "| `%s` | %s | %s | %s |\n"
                                        .formatted(difference, difference.whose, difference.symptom, difference.replay))
                                .collect(Collectors.joining()));
    }

    private static void assertShown(String name, String table) throws IOException {
        var document = Repository.tool("lab").getParent().resolveSibling("docs").resolve("walks.md");
        String text = Files.readString(document);
        String start = "<!-- " + name + " -->\n";
        int from = text.indexOf(start) + start.length();
        assertThat(text.substring(from, text.indexOf("<!-- end -->", from))).as("put this table there")
                .isEqualTo(table);
    }
}
