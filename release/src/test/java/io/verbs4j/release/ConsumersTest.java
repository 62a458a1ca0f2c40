// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Programs of somebody else, who has nothing of verbs4j but its published artifacts: `src/consumers`, built by Maven with
/// warnings as errors, from a local repository that holds the artifacts, and run as they would run them.
class ConsumersTest {
    private static final Path JAVA_HOME = Path.of(System.getProperty("java.home"));
    private static final String MAIN = "com.example.Consumer";
    private static final String OUTPUT = "devices: 0\nerror: 19\nprovider: true\n";

    @TempDir static Path folder;

    @BeforeAll
    static void build() throws IOException, InterruptedException {
        copy(Published.ROOT.resolve("release/src/consumers"), folder.resolve("consumers"));
        for (String notModular : List.of("classpath", "bundle")) {
            copy(
                    folder.resolve("consumers/modular/src/main/java/com"),
                    Files.createDirectories(folder.resolve("consumers").resolve(notModular).resolve("src/main/java"))
                            .resolve("com"));
        }
        Path repository = folder.resolve("repository");
        for (Published published : Published.all()) {
            install(published, repository);
        }
        // All that is not ours comes from where the build itself has it, so that nothing is asked of the network.
        Path settings = Files.writeString(folder.resolve("settings.xml"), """
            <settings>
              <mirrors>
                <mirror>
                  <id>local</id>
                  <mirrorOf>*</mirrorOf>
                  <url>%s</url>
                </mirror>
              </mirrors>
            </settings>
            """.formatted(Path.of(System.getProperty("verbs4j.repository")).toUri()));
        run(
                folder.resolve("consumers"),
                System.getProperty("verbs4j.maven"),
                "--batch-mode",
                "--quiet",
                "--offline",
                "-Daether.offline.protocols=file",
                "--settings",
                settings.toString(),
                "-Dmaven.repo.local=" + repository,
                "-Dverbs4j.version=" + Published.all().getFirst().version(),
                "process-classes");
    }

    @Test
    void modularProgramNeedsOneArtifact() throws IOException, InterruptedException {
        assertThat(run(
                folder,
                java(JAVA_HOME),
                "--enable-native-access=io.verbs4j.abi",
                "--illegal-native-access=deny",
                "--module-path",
                target("modular/lib") + ":" + target("modular/classes"),
                "--module",
                "com.example.consumer/" + MAIN)).endsWith(OUTPUT);
    }

    @Test
    void programOnTheClassPathNeedsOneArtifact() throws IOException, InterruptedException {
        assertThat(runOnClassPath("classpath")).endsWith(OUTPUT);
    }

    @Test
    void programOnTheClassPathCanTakeTheOneJar() throws IOException, InterruptedException {
        assertThat(runOnClassPath("bundle")).endsWith(OUTPUT);
        try (Stream<Path> jars = Files.list(target("bundle/lib"))) {
            assertThat(jars).hasSize(1);
        }
    }

    @Test
    void runtimeImageHoldsTheProviderWhenServicesAreBound() throws IOException, InterruptedException {
        Path image = folder.resolve("image");
        run(
                folder,
                JAVA_HOME.resolve("bin/jlink").toString(),
                "--module-path",
                target("modular/lib") + ":" + target("modular/classes"),
                "--add-modules",
                "com.example.consumer,io.verbs4j.rxe",
                "--output",
                image.toString());

        assertThat(run(
                folder,
                java(image),
                "--enable-native-access=io.verbs4j.abi",
                "--illegal-native-access=deny",
                "--module",
                "com.example.consumer/" + MAIN)).endsWith(OUTPUT);
    }

    private static String runOnClassPath(String consumer) throws IOException, InterruptedException {
        return run(
                folder,
                java(JAVA_HOME),
                "--enable-native-access=ALL-UNNAMED",
                "--illegal-native-access=deny",
                "--class-path",
                target(consumer + "/lib") + "/*:" + target(consumer + "/classes"),
                MAIN);
    }

    private static String java(Path home) {
        return home.resolve("bin/java").toString();
    }

    /// A folder below a consumer's `target`.
    private static Path target(String place) {
        String[] parts = place.split("/", 2);
        return folder.resolve("consumers").resolve(parts[0]).resolve("target").resolve(parts[1]);
    }

    /// Puts an artifact where the install plugin would.
    private static void install(Published published, Path repository) throws IOException {
        Path place = repository.resolve("io/verbs4j")
                .resolve(published.artifact())
                .resolve(published.version());
        Files.createDirectories(place);
        String name = published.artifact() + "-" + published.version();
        Files.copy(published.pom(), place.resolve(name + ".pom"));
        if (published.packaging().equals("jar")) {
            Files.copy(published.jar(), place.resolve(name + ".jar"));
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Path copy = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(copy);
                } else {
                    Files.copy(file, copy);
                }
            }
        }
    }

    private static String run(Path where, String... command) throws IOException, InterruptedException {
        Path output = Files.createTempFile(folder, "output", ".txt");
        Process process = new ProcessBuilder(new ArrayList<>(List.of(command)))
                .directory(where.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(5, TimeUnit.MINUTES)).as(List.of(command).toString()).isTrue();
        } finally {
            process.destroyForcibly();
        }
        String text = Files.readString(output);
        assertThat(process.exitValue()).as(() -> String.join(" ", command) + "\n" + text).isZero();
        return text;
    }
}
