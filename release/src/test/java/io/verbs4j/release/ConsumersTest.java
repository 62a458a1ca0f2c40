// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Programs of somebody else, who has nothing of verbs4j but its published artifacts: `src/consumers`, built by Maven
/// with warnings as errors, from a local repository that holds the artifacts, and run as they would run them.
class ConsumersTest {
    private static final Path JAVA_HOME = Path.of(System.getProperty("java.home"));
    private static final String MAIN = "com.example.Consumer";
    private static final String OUTPUT = "devices: 0\nerror: 19\nprovider: true\n";

    private static final String PEERS_OUTPUT = "disni: true\nvalkey: nobody listens\n";

    private static final Path GETTING_STARTED = Published.ROOT.resolve("docs/getting-started.md");
    private static final Pattern PROGRAM =
            Pattern.compile("<!-- program (\\w+) -->\\n```java\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern PROJECT = Pattern.compile("```(xml)\\n(<project .*?)```", Pattern.DOTALL);

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
        Path sources = Files.createDirectories(folder.resolve("consumers/connecting/src/main/java"));
        for (Path page : List.of(Published.ROOT.resolve("README.md"), GETTING_STARTED)) {
            for (var program : blocks(page, PROGRAM).entrySet()) {
                Files.writeString(sources.resolve(program.getKey() + ".java"), program.getValue());
            }
        }
        copyCourse(folder.resolve("consumers/bundle/src/main/java"));
        for (Published published : Published.all()) {
            install(published, folder.resolve("repository"));
        }
        // All that is not ours comes from where the build itself has it, so that nothing is asked of the network.
        Files.writeString(folder.resolve("settings.xml"), """
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
        maven(folder.resolve("consumers"), "process-classes");
    }

    /// Copies the programs of the course, whose names are unique.
    private static void copyCourse(Path to) throws IOException {
        try (Stream<Path> files = Files.walk(Published.ROOT.resolve("docs/course"))) {
            for (Path program : files.filter(file -> file.toString().endsWith(".java")).toList()) {
                Files.copy(program, to.resolve(program.getFileName()));
            }
        }
    }

    private static String maven(Path project, String phase) throws IOException, InterruptedException {
        return run(
                project,
                System.getProperty("verbs4j.maven"),
                "--batch-mode",
                "--offline",
                "-Daether.offline.protocols=file",
                "--settings",
                folder.resolve("settings.xml").toString(),
                "-Dmaven.repo.local=" + folder.resolve("repository"),
                "-Dverbs4j.version=" + Published.all().getFirst().version(),
                phase);
    }

    /// Returns the blocks of a page by the name that the pattern captures first.
    private static Map<String, String> blocks(Path page, Pattern pattern) throws IOException {
        Map<String, String> blocks = pattern.matcher(Files.readString(page))
                .results()
                .collect(Collectors.toMap(block -> block.group(1), block -> block.group(2)));
        assertThat(blocks).as("blocks of %s", page).isNotEmpty();
        return blocks;
    }

    @Test
    void programsOfThePagesCompileAgainstTheArtifactThatTheyName() throws IOException {
        assertThat(Files.readString(GETTING_STARTED)).contains("implementation(\"io.verbs4j:verbs4j-rdma-cm\")");
        assertThat(target("connecting/classes")).isDirectoryContaining("glob:**/Hello.class")
                .isDirectoryContaining("glob:**/Server.class");
    }

    @Test
    void programsOfTheCourseCompileAgainstTheOneJar() {
        assertThat(target("bundle/classes")).isDirectoryContaining("glob:**/Handshake.class")
                .isDirectoryContaining("glob:**/Packets.class");
    }

    /// The newest of JUnit 5, which the page has, and the oldest that the extension supports.
    @ParameterizedTest
    @ValueSource(strings = {"5.14.4", "5.11.4"})
    void theProjectOfTheReadmeRunsTestsOnSimulatedDevices(String junit) throws IOException, InterruptedException {
        Path project = folder.resolve("consumers/readme");
        String text = blocks(Published.ROOT.resolve("README.md"), PROJECT).values().iterator().next();
        assertThat(text).contains("<version>5.14.4</version>");
        // The resources plugin of this build: the one that Maven takes by default is not in the local repository.
        Files.writeString(
                project.resolve("pom.xml"),
                text.replace("<version>5.14.4</version>", "<version>" + junit + "</version>")
                        .replace("<build> <plugins>", "<build> <plugins> <plugin> <artifactId>maven-resources-plugin"
                                + "</artifactId> <version>3.5.0</version> </plugin>"));
        assertThat(maven(project, "test")).contains("Tests run: 2, Failures: 0, Errors: 0, Skipped: 0");
        assertThat(project.resolve("target/surefire-reports/TEST-org.example.TransferTest.xml"))
                .content()
                .contains("junit-jupiter-api-" + junit + ".jar");
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
    void programThatKnowsOnlyTheJdkTalksRdmaByTheOneJarAsItsAgent() throws IOException, InterruptedException {
        Path agent;
        try (Stream<Path> jars = Files.list(target("bundle/lib"))) {
            agent = jars.findFirst().orElseThrow();
        }
        assertThat(run(
                folder,
                java(JAVA_HOME),
                "-javaagent:" + agent,
                "--enable-native-access=ALL-UNNAMED",
                "--illegal-native-access=deny",
                "-Dverbs4j.simulate=2",
                folder.resolve("consumers/sockets/Echo.java").toString())).endsWith("echoed\n");
    }

    @Test
    void programsWrittenForDisniAndValkeyRunOnSimulatedDevices() throws IOException, InterruptedException {
        // The order of the project file, which a wildcard does not keep.
        assertThat(runPeers(jar("verbs4j-disni-") + ":" + target("peers/lib") + "/*")).endsWith(PEERS_OUTPUT);
    }

    @Test
    void theAgentReplacesClassesOfDisniWhereverItIsOnTheClassPath() throws IOException, InterruptedException {
        assertThat(runPeers(jar("disni-") + ":" + target("peers/lib") + "/*", "-javaagent:" + jar("verbs4j-disni-")))
                .endsWith(PEERS_OUTPUT);
    }

    private static String runPeers(String libraries, String... options) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(java(JAVA_HOME)));
        command.addAll(List.of(options));
        command.addAll(List.of(
                "--enable-native-access=ALL-UNNAMED",
                "--illegal-native-access=deny",
                "-Dverbs4j.simulate=2",
                "--class-path",
                libraries + ":" + target("peers/classes"),
                "com.example.Peers"));
        return run(folder, command.toArray(String[]::new));
    }

    private static Path jar(String name) throws IOException {
        try (Stream<Path> jars = Files.list(target("peers/lib"))) {
            return jars.filter(jar -> jar.getFileName().toString().startsWith(name)).findFirst().orElseThrow();
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
        ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(List.of(command)))
                .directory(where.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        // Maven runs on it, because the README's project asks for Java 25.
        builder.environment().put("JAVA_HOME", JAVA_HOME.toString());
        // It ends before the optimizing compiler pays off.
        builder.environment().put("MAVEN_OPTS", "-XX:+UseSerialGC -XX:TieredStopAtLevel=1");
        Process process = builder.start();
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
