// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.Repository;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/// Compiles the programs that the README shows, as they stand there, against the one jar. The build does so on the machine, since
/// the compiler takes long in an emulated guest; there it is started only if they are not there, or are others.
public final class ReadmePrograms {
    private static final Pattern JAVA_BLOCK = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);
    /// Holds what the README calls its programs.
    private static final List<String> NAMES = List.of("Hello", "Server", "Client", "Exchange");
    private static final Path FOLDER = Repository.file("tests/target/readme");
    private static final Path JARS = Repository.file("bundle/target");

    private ReadmePrograms() {}

    /// Returns the folder of the classes, and compiles them if need be.
    static Path classes() throws IOException {
        List<String> programs = programs();
        if (!areThere(programs)) {
            compile(programs);
        }
        return FOLDER;
    }

    /// Returns a program as it stands there.
    public static String source(String name) throws IOException {
        return programs().get(NAMES.indexOf(name));
    }

    private static List<String> programs() throws IOException {
        List<String> programs = JAVA_BLOCK.matcher(Files.readString(Repository.file("README.md")))
                .results()
                .map(block -> block.group(1))
                .toList();
        assertThat(programs).as("programs in README.md").hasSameSizeAs(NAMES);
        return programs;
    }

    private static boolean areThere(List<String> programs) throws IOException {
        for (int i = 0; i < NAMES.size(); i++) {
            Path source = FOLDER.resolve(NAMES.get(i) + ".java");
            Path compiled = FOLDER.resolve(NAMES.get(i) + ".class");
            if (!Files.exists(compiled) || !Files.readString(source).equals(programs.get(i))) {
                return false;
            }
            for (Path jar : jars()) {
                if (Files.getLastModifiedTime(jar).compareTo(Files.getLastModifiedTime(compiled)) > 0) {
                    return false;
                }
            }
        }
        return true;
    }

    private static List<Path> jars() throws IOException {
        if (!Files.isDirectory(JARS)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(JARS)) {
            return files.filter(file -> file.toString().matches(".*(?<!-sources|-javadoc)[.]jar")).toList();
        }
    }

    /// Compiles against the class path of the tests where the jar has not been built.
    private static void compile(List<String> programs) throws IOException {
        String jars = jars().stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        Files.createDirectories(FOLDER);
        var sources = new ArrayList<Path>();
        for (int i = 0; i < NAMES.size(); i++) {
            sources.add(Files.writeString(FOLDER.resolve(NAMES.get(i) + ".java"), programs.get(i)));
        }
        var compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "a JDK has a compiler");
        var output = new StringWriter();
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of(
                    "-proc:none", "-d", FOLDER.toString(), "-cp",
                    jars.isEmpty() ? System.getProperty("java.class.path") : jars);
            assertThat(compiler.getTask(output, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
                    .call()).as(output::toString).isTrue();
        }
    }
}
