// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Formal rules of comments, as far as a machine can judge them.
class CommentsTest {
    private static final Pattern METHOD = Pattern.compile(
            "(?:(?:public|protected|private|static|final|abstract|synchronized|default) )*(?:<[^>]*> )?([\\w.<>\\[\\]?]+) (\\w+)\\(.*");
    private static final int COLUMNS = 120;
    private static final Pattern SETTER = Pattern.compile("(set|with)[A-Z].*");

    static List<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(Repository.folder())) {
            var sources = files.filter(file -> file.toString().matches(".*/src/(main|test|bench)/.*\\.java")).toList();
            assertThat(sources).hasSizeGreaterThan(1000);
            return sources;
        }
    }

    /// A setter sets; a method without a result returns nothing.
    @Test
    void noSetterSaysThatItReturns() throws IOException {
        var found = new ArrayList<String>();
        int setters = 0;
        for (Path source : sources()) {
            List<String> lines = Files.readAllLines(source).stream().map(String::strip).toList();
            for (int i = 0; i < lines.size(); i++) {
                int first = i;
                while (i < lines.size() && lines.get(i).startsWith("///")) {
                    i++;
                }
                if (i == first) {
                    continue;
                }
                List<String> comment = lines.subList(first, i);
                while (i < lines.size() && lines.get(i).startsWith("@")) {
                    i++;
                }
                var method = METHOD.matcher(i < lines.size() ? lines.get(i) : "");
                if (method.matches() && (method.group(1).equals("void") || SETTER.matcher(method.group(2)).matches())) {
                    setters++;
                    if (comment.getFirst().startsWith("/// Returns")
                            || comment.stream().anyMatch(line -> line.startsWith("/// @return"))) {
                        found.add(source + ": " + method.group(2));
                    }
                }
            }
        }
        assertThat(setters).isGreaterThan(500);
        assertThat(found).isEmpty();
    }

    /// Rows of tables and links may be longer, since they cannot be wrapped.
    @Test
    void noCommentIsWiderThanThePage() throws IOException {
        var found = new ArrayList<String>();
        int comments = 0;
        for (Path source : sources()) {
            for (String line : Files.readAllLines(source)) {
                if (line.strip().startsWith("//") && !line.strip().matches("/// (\\||@see <).*")) {
                    comments++;
                    if (line.length() > COLUMNS) {
                        found.add(source + ": " + line.strip());
                    }
                }
            }
        }
        assertThat(comments).isGreaterThan(1000);
        assertThat(found).isEmpty();
    }
}
