// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.mutations.sample;

import io.verbs4j.tests.support.JavaProcess;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A copy of the compiled modules with some changed classes, and the processes that run tests on it. Programs that
/// tests start with their own class path use the copy, too.
final class InstrumentedModules implements AutoCloseable {
    private static final long LIMIT_HOURS = 1;

    private final Path root;
    private final Path work;
    private String classPath = absolute(System.getProperty("java.class.path"));

    /// A line of [SampleTests].
    ///
    /// @param verdict `passed`, or the failed tests
    /// @param reached the reached places
    record Ran(String test, String verdict, long millis, List<Integer> reached) {
        static Ran parse(String line) {
            String[] words = line.split(" ", 5);
            return new Ran(
                    words[1],
                    words[2],
                    Long.parseLong(words[3]),
                    Stream.of(words[4].replaceAll("[\\[\\] ]", "").split(","))
                            .filter(place -> !place.isEmpty())
                            .map(Integer::valueOf)
                            .toList());
        }

        /// Returns what [#parse] reads.
        String text() {
            return "TEST " + test + " " + verdict + " " + millis + " " + reached;
        }

        boolean passed() {
            return verdict.equals(SampleTests.PASSED);
        }
    }

    InstrumentedModules(Path root) throws IOException {
        this.root = root;
        Path below = Files.createDirectories(root.resolve("tests/target/samples")); // which guests see
        this.work = Files.createTempDirectory(below, "run");
    }

    /// Changes a class in the module that contains it.
    ///
    /// @param type internal name
    void change(String type, UnaryOperator<byte[]> change) throws IOException {
        for (String entry : classPath.split(File.pathSeparator)) {
            Path file = Path.of(entry).resolve(type + ".class");
            if (Files.exists(file)) {
                Path copy = copy(Path.of(entry));
                Files.write(copy.resolve(type + ".class"), change.apply(Files.readAllBytes(file)));
                return;
            }
        }
        throw new IllegalStateException("there is no " + type);
    }

    private Path copy(Path module) throws IOException {
        if (module.startsWith(work)) {
            return module;
        }
        Path copy = Files.createDirectories(work.resolve(root.relativize(module)));
        copyAll(module, copy);
        String probes = Probes.class.getName().replace('.', '/') + ".class"; // for programs without tests on their class path
        Files.createDirectories(copy.resolve(probes).getParent());
        Files.copy(root.resolve("tests/target/test-classes").resolve(probes), copy.resolve(probes));
        classPath = Stream.of(classPath.split(File.pathSeparator))
                .map(entry -> entry.equals(module.toString()) ? copy.toString() : entry)
                .collect(Collectors.joining(File.pathSeparator));
        return copy;
    }

    private static void copyAll(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(from.relativize(file));
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
    }

    /// Runs test classes one after another in one process.
    ///
    /// @param mode mode of [SampleTests]
    /// @return the classes that finished, or were stopped after their timeout
    List<Ran> run(TestEnvironment environment, String mode, List<SampleTests.Job> jobs)
            throws IOException, InterruptedException {
        Path list = Files.write(
                Files.createTempFile(work, "tests", ""), jobs.stream().map(SampleTests.Job::text).toList());
        var command = new ArrayList<>(environment.command(root, JavaProcess.launcher()));
        command.addAll(List.of("-cp", classPath, SampleTests.class.getName(), mode, list.toString()));
        Path output = Files.createTempFile(work, "output", "");
        var builder = new ProcessBuilder(command)
                .directory(root.resolve(environment.home()).toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put(Probes.FILE, Probes.create(Files.createTempFile(work, "reached", "")).toString());
        Process process = builder.start();
        if (!process.waitFor(LIMIT_HOURS, TimeUnit.HOURS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        try (Stream<String> lines = Files.lines(output, StandardCharsets.ISO_8859_1)) {
            return lines.filter(line -> line.startsWith("TEST ")).map(Ran::parse).toList();
        }
    }

    private static String absolute(String classPath) {
        return Stream.of(classPath.split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    /// Deletes the copy.
    @Override
    public void close() throws IOException {
        try (Stream<Path> files = Files.walk(work)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
