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

/// Drivers are identified by their numbers. Neither the provider interface nor the code above it contains a driver's
/// name, except in comments that give a reason.
class DriverNamesTest {
    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\\n]*");
    private static final Pattern NAME = Pattern.compile("(?i)\\b\\w*?(rxe|mlx5)\\w*|\\bsiw\\w*|\\bSiw\\w*");

    /// Names the modules that somebody may have forgotten to install.
    private static final String HINT = "MissingProvider.java";

    @Test
    void areUnknownInAndAboveTheProviderInterface() throws IOException {
        var found = new ArrayList<String>();
        int files = 0;
        for (String module : List.of("provider-api", "verbs", "rdma-cm")) {
            try (Stream<Path> sources = Files.walk(Repository.file(module + "/src/main/java"))) {
                for (Path source : sources.filter(file -> file.toString().endsWith(".java")).toList()) {
                    files++;
                    if (!source.endsWith(HINT)) {
                        NAME.matcher(COMMENT.matcher(Files.readString(source)).replaceAll(""))
                                .results()
                                .forEach(hit -> found.add(source.getFileName() + ": " + hit.group()));
                    }
                }
            }
        }
        assertThat(files).isGreaterThan(80);
        assertThat(found).isEmpty();
    }
}
