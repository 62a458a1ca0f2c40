// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// A source file has one purpose, and is short enough to be read in one go. A file that only lists items may be longer.
/// It has a line `// A table: ` with the reason.
class FileSizesTest {
    private static final Path ROOT = Path.of("..");
    private static final int MAX_LINES = 400;
    private static final String TABLE = "// A table: ";

    @Test
    void noSourceFileIsLongerThanFourHundredLinesUnlessItIsATable() throws IOException {
        var tooLong = new ArrayList<String>();
        int files = 0;
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module : modules.map(module -> module.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .toList()) {
                try (Stream<Path> sources = Files.walk(module)) {
                    for (Path source : sources.filter(file -> file.toString().endsWith(".java")).toList()) {
                        files++;
                        List<String> lines = Files.readAllLines(source);
                        if (lines.size() > MAX_LINES && lines.stream().noneMatch(FileSizesTest::declaresATable)) {
                            tooLong.add(source + ": " + lines.size() + " lines");
                        }
                    }
                }
            }
        }
        assertThat(files).isGreaterThan(500);
        assertThat(tooLong).isEmpty();
    }

    private static boolean declaresATable(String line) {
        return line.startsWith(TABLE) && line.length() > TABLE.length() + 20;
    }
}
