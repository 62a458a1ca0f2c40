// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Starts `tools/verbs` with the cache of classes that its build has made.
class StartUpTest {
    @Test
    void takesTheLibrarysClassesFromTheCache(@TempDir Path folder) throws Exception {
        // The command line's own are another matter: those that implement an interface of picocli cannot be cached.
        assertThat(classesLoadedBy("devices", folder))
                .filteredOn(line -> line.contains(" io.verbs4j.") && !line.contains(" io.verbs4j.tools."))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).endsWith("shared objects file"));
    }

    @Test
    void takesWhatTheJdkLoadsAtTheEndFromTheCache(@TempDir Path folder) throws Exception {
        assertThat(classesLoadedBy("devices", folder))
                .filteredOn(line -> line.contains(" java.lang.System$LoggerFinder "))
                .singleElement()
                .satisfies(line -> assertThat(line).endsWith("shared objects file"));
    }

    /// The standard output belongs to the command: a program parses it.
    @Test
    void warningsOfTheVirtualMachineAreOnTheStandardError(@TempDir Path folder) throws Exception {
        Path output = folder.resolve("output");
        Path errors = folder.resolve("errors");
        var builder = new ProcessBuilder(Repository.tool("verbs").toString(), "abi", "show", "--json", "mminfo")
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile());
        builder.environment()
                .put("VERBS4J_JAVA_OPTIONS", "-XX:+AllowRedefinitionToAddDeleteMethods -Xlog:gc+aot+cds=off:stderr");

        assertThat(builder.start().waitFor()).isZero();
        assertThat(Files.readString(errors)).contains("was deprecated", "[warning]", "No tag set matches");
        assertThat(Files.readString(output)).startsWith("{\"name\":\"mminfo\"");
    }

    private static List<String> classesLoadedBy(String command, Path folder) throws IOException, InterruptedException {
        Path classes = folder.resolve("classes");
        var builder = new ProcessBuilder(Repository.tool("verbs").toString(), command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile());
        builder.environment().put("VERBS4J_JAVA_OPTIONS", "-Xlog:class+load:file=" + classes);
        builder.start().waitFor(); // whether or not there is a device
        return Files.readAllLines(classes);
    }
}
