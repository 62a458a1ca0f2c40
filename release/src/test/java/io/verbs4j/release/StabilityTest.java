// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The packages that others may rely on: those that modules export, their marks, the table, and what japicmp compares.
class StabilityTest {
    private static final Pattern MODULE = Pattern.compile("(?m)^(?:open )?module ([\\w.]+)");
    private static final Pattern EXPORT = Pattern.compile("exports ([\\w.]+);");
    private static final Pattern MARK = Pattern.compile("(?m)^/// Stability: (API|SPI|may change)\\.$");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([\\w.]+)` \\| (.+) \\| `([\\w.]+)` \\|$");
    private static final Pattern COMPARED = Pattern.compile("<include>(io\\.verbs4j[\\w.]*)</include>");

    @Test
    void tableNamesEachExportedPackageWithItsMark() throws IOException {
        var table = new TreeMap<String, String>();
        ROW.matcher(Files.readString(Published.ROOT.resolve("docs/stability.md")))
                .results()
                .forEach(row -> table.put(row.group(1), row.group(2) + " in " + row.group(3)));

        assertThat(table).isEqualTo(marks());
    }

    @Test
    void whatIsMarkedAsApiOrSpiIsComparedWithTheLastRelease() throws IOException {
        assertThat(COMPARED.matcher(Files.readString(Published.ROOT.resolve("pom.xml")))
                .results()
                .map(found -> found.group(1))).containsExactlyInAnyOrderElementsOf(
                        marks().entrySet()
                                .stream()
                                .filter(mark -> !mark.getValue().startsWith("may change"))
                                .map(Map.Entry::getKey)
                                .toList());
    }

    /// Each package that a published module exports to everybody, with its mark and module.
    private static Map<String, String> marks() throws IOException {
        var marks = new TreeMap<String, String>();
        for (Published published : Published.jars()) {
            Path sources = published.folder().resolve("src/main/java");
            if (!Files.exists(sources.resolve("module-info.java"))) {
                continue; // the bundle, whose contents are those of the others
            }
            String text = Files.readString(sources.resolve("module-info.java"));
            String module = MODULE.matcher(text).results().findFirst().orElseThrow().group(1);
            for (MatchResult export : EXPORT.matcher(text).results().toList()) {
                String name = export.group(1);
                String about = Files.readString(sources.resolve(name.replace('.', '/')).resolve("package-info.java"));
                marks.put(
                        name,
                        MARK.matcher(about)
                                .results()
                                .findFirst()
                                .map(mark -> mark.group(1))
                                .orElse("no mark") + " in " + module);
            }
        }
        return marks;
    }
}
