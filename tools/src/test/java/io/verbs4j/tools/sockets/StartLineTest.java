// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The parts of start lines, as java(1) describes them.
class StartLineTest {
    @TempDir private Path folder;

    @BeforeEach
    void writeJars() throws IOException {
        Files.createDirectory(folder.resolve("lib"));
        for (String name : List.of("b.jar", "a.jar", "c.txt")) {
            Files.createFile(folder.resolve("lib").resolve(name));
        }
    }

    private StartLine parse(String line, Map<String, String> environment) {
        return StartLine.parse(List.of(line.split(" ")), environment, folder);
    }

    private String names(StartLine line) {
        return String.join(" ",
                line.classPath()
                        .stream()
                        .map(path -> path.toString().substring(folder.toString().length() + 1))
                        .toList());
    }

    @ParameterizedTest
    @CsvSource({
            "java Main -cp x, Main, '', .",
            "java -cp x.jar:y Main, Main, '', x.jar y",
            "java -classpath x.jar::y Main, Main, '', x.jar y",
            "java --class-path x.jar Main, Main, '', x.jar",
            "java --class-path=x=1.jar Main, Main, '', x=1.jar",
            "java -cp lib/* Main, Main, '', lib/a.jar lib/b.jar",
            "java -cp none/* Main, Main, '', ''",
            "java -p lib -m app/Main a b, app/Main, '', . lib/a.jar lib/b.jar lib",
            "java --module-path=lib --module app, app, '', . lib/a.jar lib/b.jar lib",
            "java -cp x --module-path lib:x -m app, app, '', x lib/a.jar lib/b.jar lib x",
            "java -Xmx1g -Da=b Main -Dc, Main, -Xmx1g -Da=b, .",
            "java --add-opens a/b=c --source 25 @file Main, Main, --add-opens=a/b=c --source=25 @file, .",
            "java -m, '', '', .",
    })
    void words(String line, String mainClass, String options, String classPath) {
        StartLine parsed = parse(line, Map.of());
        assertThat(parsed.mainClass()).isEqualTo(mainClass);
        assertThat(String.join(" ", parsed.options())).isEqualTo(options);
        assertThat(names(parsed)).isEqualTo(classPath);
        assertThat(parsed.jar()).isNull();
    }

    @Test
    void theEnvironmentComesFirst() throws IOException {
        var manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, " lib/a.jar  file:lib/b.jar ");
        new JarOutputStream(Files.newOutputStream(folder.resolve("app.jar")), manifest).close();
        StartLine parsed = parse("java -Da=3 -jar app.jar -Da=4", Map.of(
                "JDK_JAVA_OPTIONS", "  -Da=2  -Xss1m ", "JAVA_TOOL_OPTIONS", "-Da=1", "CLASSPATH", "unused"));
        assertThat(parsed.options()).containsExactly("-Da=1", "-Da=2", "-Xss1m", "-Da=3");
        assertThat(parsed.property("a")).isEqualTo("3");
        assertThat(parsed.property("b")).isNull();
        assertThat(parsed.jar()).isEqualTo(folder.resolve("app.jar"));
        assertThat(names(parsed)).isEqualTo("app.jar lib/a.jar lib/b.jar");
        assertThat(names(parse("java Main", Map.of("CLASSPATH", "x:y")))).isEqualTo("x y");
    }

    /// The launcher reads one variable like the line. The virtual machine reads the other: each word is an option.
    @Test
    void theEnvironmentHasQuotesAndOptionsOfTwoWords() {
        StartLine parsed = parse("java Main", Map.of(
                "JAVA_TOOL_OPTIONS", "-Da='x  y'\t-Db=\"it's\"",
                "JDK_JAVA_OPTIONS", "-cp 'lib/*' --add-exports a/b=c \"-Dc=d e\"f"));
        assertThat(parsed.options()).containsExactly("-Da=x  y", "-Db=it's", "--add-exports=a/b=c", "-Dc=d ef");
        assertThat(names(parsed)).isEqualTo("lib/a.jar lib/b.jar");
        assertThat(parsed.mainClass()).isEqualTo("Main");
    }
}
