// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// docs/reliability.md names tests that exist, and the share of the kernel's lines that docs/kernel-coverage.md has.
class ReliabilityDocTest {
    private static final Pattern TEST = Pattern.compile("`(\\w+(?:Test|IT|Properties|Locks))`");
    private static final Pattern SHARE = Pattern.compile("(\\d+\\.\\d %) of the lines");

    private static String text(String name) throws IOException {
        return Files.readString(Repository.file("docs/" + name));
    }

    @Test
    void namesTestsThatExist() throws IOException {
        var named = TEST.matcher(text("reliability.md"))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        var sources = new TreeSet<String>();
        for (String module : new String[]{"tests", "verbs", "provider-rxe", "uverbs-abi"}) {
            try (Stream<Path> files = Files.walk(Repository.file(module + "/src/test/java"))) {
                files.map(file -> file.getFileName().toString())
                        .filter(name -> name.endsWith(".java"))
                        .forEach(name -> sources.add(name.substring(0, name.length() - ".java".length())));
            }
        }
        assertThat(named).hasSizeGreaterThan(25);
        assertThat(sources).containsAll(named);
    }

    @Test
    void showsTheShareOfTheKernelsLinesThatWasCounted() throws IOException {
        assertThat(SHARE.matcher(text("reliability.md")).results().map(found -> found.group(1)).toList())
                .containsExactly(
                        SHARE.matcher(text("kernel-coverage.md")).results().findFirst().orElseThrow().group(1));
    }
}
