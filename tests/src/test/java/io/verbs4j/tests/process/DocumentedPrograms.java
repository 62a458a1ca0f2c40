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
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/// Compiles the programs of the README and of `docs` against the bundle jar. A program is a block of Java under a
/// comment `<!-- program NAME -->`. The build compiles them on the machine, because the compiler is slow in an emulated
/// guest. In the guest they are compiled only if classes are missing or outdated.
public final class DocumentedPrograms {
    private static final Pattern PROGRAM =
            Pattern.compile("<!-- program (\\w+) -->\\n```java\\n(.*?)```", Pattern.DOTALL);
    private static final Path FOLDER = Repository.file("tests/target/documented");
    private static final Path JARS = Repository.file("bundle/target");

    private DocumentedPrograms() {}

    /// Returns the folder of the classes, which are compiled if necessary.
    static Path classes() throws IOException {
        Map<String, String> programs = all();
        if (!areCompiled(programs)) {
            compile(programs);
        }
        return FOLDER;
    }

    /// Returns the text of a program.
    public static String source(String name) throws IOException {
        return Objects.requireNonNull(all().get(name), name);
    }

    /// Returns the README and the pages of `docs`.
    static List<Path> pages() throws IOException {
        var pages = new ArrayList<>(List.of(Repository.file("README.md")));
        try (Stream<Path> files = Files.walk(Repository.file("docs"))) {
            files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
        }
        return pages;
    }

    /// Returns the texts of all programs by name.
    static Map<String, String> all() throws IOException {
        var programs = new TreeMap<String, String>();
        for (Path page : pages()) {
            PROGRAM.matcher(Files.readString(page))
                    .results()
                    .forEach(block -> assertThat(
                            programs.put(block.group(1), block.group(2))).as("another program %s", block.group(1))
                            .isNull());
        }
        return programs;
    }

    private static boolean areCompiled(Map<String, String> programs) throws IOException {
        for (var program : programs.entrySet()) {
            Path source = FOLDER.resolve(program.getKey() + ".java");
            Path compiled = FOLDER.resolve(program.getKey() + ".class");
            if (!Files.exists(compiled) || !Files.readString(source).equals(program.getValue())) {
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

    /// Compiles against the class path of the tests if the jar has not been built.
    private static void compile(Map<String, String> programs) throws IOException {
        String jars = jars().stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        Files.createDirectories(FOLDER);
        var sources = new ArrayList<Path>();
        for (var program : programs.entrySet()) {
            sources.add(Files.writeString(FOLDER.resolve(program.getKey() + ".java"), program.getValue()));
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
