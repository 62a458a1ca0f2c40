// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// The README's programs compile as they stand there; `OneJarIT` runs those of two ends on real devices, and
/// `NoLinuxCallTest` the first on simulated ones.
class ReadmeProgramsTest {
    @Test
    void compileAgainstOneJar() throws IOException {
        Path classes = ReadmePrograms.classes();
        assertThat(classes.resolve("Hello.class")).exists();
        assertThat(classes.resolve("Server.class")).exists();
        assertThat(classes.resolve("Client.class")).exists();
        assertThat(classes.resolve("Exchange.class")).exists();
    }
}
