// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Starts a program that uses only the JDK, with the agent. No interface of the machine has the addresses of the
/// simulated devices, so TCP could not connect.
class SocketsAgentTest {
    private static final List<String> ADDRESSES = List.of("10.9.0.2:21901", "10.9.0.2:21902");

    @TempDir Path folder;

    /// Writes the jar of an agent that uses the classes of this test.
    private Path agent() throws IOException {
        var manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue("Premain-Class", SocketsAgent.class.getName());
        attributes.put(
                Attributes.Name.CLASS_PATH,
                Stream.of(System.getProperty("java.class.path").split(":"))
                        .filter(entry -> !entry.endsWith("test-classes") && !entry.endsWith("test-classes/"))
                        .map(entry -> Path.of(entry).toUri().toString())
                        .collect(Collectors.joining(" ")));
        return jar("agent.jar", manifest);
    }

    private Path program() throws IOException {
        var manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.put(Attributes.Name.MAIN_CLASS, JdkProgram.class.getName());
        return jar("program.jar", manifest, JdkProgram.class);
    }

    private Path jar(String name, Manifest manifest, Class<?>... classes) throws IOException {
        Path file = folder.resolve(name);
        try (var jar = new JarOutputStream(Files.newOutputStream(file), manifest)) {
            for (Class<?> type : classes) {
                String entry = type.getName().replace('.', '/') + ".class";
                jar.putNextEntry(new JarEntry(entry));
                try (var content = Objects.requireNonNull(ClassLoader.getSystemResourceAsStream(entry))) {
                    content.transferTo(jar);
                }
                jar.closeEntry();
            }
        }
        return file;
    }

    private record Run(int exitValue, String output) {}

    private Run run(String toolOptions, String... arguments) throws IOException, InterruptedException {
        Path output = folder.resolve("output.txt");
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(Arrays.asList(arguments));
        command.addAll(List.of("-jar", program().toString()));
        command.addAll(ADDRESSES);
        var builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("JAVA_TOOL_OPTIONS", toolOptions);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).as(() -> read(output)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Run(process.exitValue(), Files.readString(output));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static void assertAllIsEqual(Run run) {
        assertThat(run.exitValue()).as(run.output()).isZero();
        assertThat(run.output().lines())
                .contains("HttpClient: equal", "HttpURLConnection: equal", "Socket: equal")
                .noneMatch(line -> line.contains("Exception"));
    }

    @Test
    void aJarWithoutOursOnItsClassPathRunsOverRdmaByOneFlag() throws Exception {
        assertAllIsEqual(run("", "-javaagent:" + agent(), "-Dverbs4j.simulate=2", "--enable-native-access=ALL-UNNAMED",
                "--illegal-native-access=deny"));
    }

    @Test
    void theEnvironmentNamesTheAgentAndItsRules() throws Exception {
        Path rules = Files.writeString(folder.resolve("rules"), "rdma connect * *\nrdma bind * *\n");
        assertAllIsEqual(run("-javaagent:" + agent() + "=" + rules + " -Dverbs4j.simulate=2"));
    }

    @Test
    void aRuleForTcpKeepsTheSameProgramFromTheAddresses() throws Exception {
        Path rules = Files.writeString(folder.resolve("rules"), "tcp bind 10.9.0.0/16 *\n");
        Run run = run("-javaagent:" + agent() + "=" + rules + " -Dverbs4j.simulate=2");
        assertThat(run.exitValue()).as(run.output()).isNotZero();
        assertThat(run.output()).contains("java.net.BindException");
    }
}
