// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The programs of the pages compile unchanged. `OneJarIT` runs those with two ends on real devices, and
/// `NoLinuxCallTest` the others on simulated ones.
class DocumentedProgramsTest {
    @Test
    void compileAgainstOneJar() throws IOException {
        Path classes = DocumentedPrograms.classes();
        assertThat(DocumentedPrograms.all()).containsOnlyKeys("Client", "Exchange", "Hello", "Server", "Service");
        for (String name : DocumentedPrograms.all().keySet()) {
            assertThat(classes.resolve(name + ".class")).exists();
        }
    }

    /// An older Java then says that it is too old, instead of what it does not understand in the program.
    @Test
    void commandsThatRunASourceFileNameItsVersion() throws IOException {
        Pattern command = Pattern.compile("(?<!-- )java (--\\S.*?|-D\\S.*?)? ?-cp '[^']*' [\\w/]+[.]java");
        for (Path page : DocumentedPrograms.pages()) {
            assertThat(command.matcher(Files.readString(page)).results().map(MatchResult::group))
                    .as("%s", page)
                    .allMatch(line -> line.startsWith("java --source 25 "));
        }
    }

    @Test
    void theReadmeShowsTheFileThatItRuns() throws IOException {
        assertThat(Files.readString(Repository.file("examples/Hello.java")))
                .isEqualTo("// SPDX-License-Identifier: Apache-2.0\n" + DocumentedPrograms.source("Hello"));
    }
}
