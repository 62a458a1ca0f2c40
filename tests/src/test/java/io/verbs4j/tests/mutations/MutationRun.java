// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.mutations;

import io.verbs4j.tests.mutations.sample.Modules;
import io.verbs4j.tests.mutations.sample.Sample;
import io.verbs4j.tests.mutations.sample.SampleRun;
import io.verbs4j.tests.support.JavaProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/// The program behind `tools/mutations`. It compiles one mutated file at a time into a separate folder, which precedes
/// the built classes on the class path of a new JVM, and runs the test that must fail. The source tree is never
/// changed.
final class MutationRun {
    private static final long LIMIT_SECONDS = 180;
    /// Tests in a nested class count as those of the class around it, which is what runs.
    private static final Pattern NESTED = Pattern.compile("\\$[^#]+");
    private static final Pattern FAILED = Pattern.compile("className = '([^']+)', methodName = '([^']+)'");

    /// A test class, and the kernel whose simulated devices it runs on, if any.
    private record Judge(String test, String kernel) {
        static Judge of(Mutation mutation) {
            return new Judge(mutation.testClass(), mutation.kernel());
        }
    }

    private final Path root;
    private final boolean allTests;

    private MutationRun(Path root, boolean allTests) {
        this.root = root;
        this.allTests = allTests;
    }

    /// Arguments: the project's root, followed by one of: `--table` to write the page, `--sample` and the arguments of
    /// [SampleRun], `--all-tests` to run all tests on each mutation, or parts of mutations' names.
    static void main(String[] arguments) throws IOException, InterruptedException, ExecutionException {
        var rest = new ArrayList<>(List.of(arguments));
        Path root = Path.of(rest.removeFirst()).toAbsolutePath();
        List<Mutation> mutations = Mutation.read(root.resolve("tests/mutations.txt"));
        if (rest.remove("--table")) {
            Files.writeString(root.resolve("docs/mutations.md"), MutationsPage.of(mutations, Sample.all(root)));
            return;
        }
        if (rest.remove("--sample")) {
            SampleRun.main(Stream.concat(Stream.of(root.toString()), rest.stream()).toArray(String[]::new));
            return;
        }
        boolean allTests = rest.remove("--all-tests");
        var chosen = mutations.stream()
                .filter(mutation -> rest.isEmpty() || rest.stream().anyMatch(mutation.name()::contains))
                .toList();
        System.exit(new MutationRun(root, allTests).run(chosen) ? 0 : 1);
    }

    private boolean run(List<Mutation> mutations) throws IOException, InterruptedException {
        Path nothing = Files.createTempDirectory("verbs4j-mutations");
        var tests = new LinkedHashSet<Judge>();
        mutations.forEach(mutation -> tests.add(Judge.of(mutation)));
        var broken = new LinkedHashSet<String>();
        for (Judge test : allTests ? allTestClasses() : tests) {
            broken.addAll(failures(nothing, test));
        }
        if (!broken.isEmpty()) {
            System.out.println("without any mutation there fail: " + broken);
            return false;
        }
        int survivors = 0;
        for (Mutation mutation : mutations) {
            String verdict = verdict(mutation);
            survivors += verdict.startsWith("caught") ? 0 : 1;
            System.out.printf("%-9s %s%n", verdict.startsWith("caught") ? "caught" : "SURVIVED", mutation.name());
            if (!verdict.equals("caught")) {
                System.out.println("          " + verdict);
            }
        }
        System.out.printf("%d mutations, %d survived%n", mutations.size(), survivors);
        return survivors == 0;
    }

    private String verdict(Mutation mutation) throws IOException, InterruptedException {
        Path work = Files.createTempDirectory("verbs4j-mutation");
        Path source = work.resolve("source").resolve(mutation.file().getFileName());
        Path classes = Files.createDirectories(work.resolve("classes"));
        Files.createDirectories(source.getParent());
        Files.writeString(source, mutation.apply(root));
        int compiled = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-proc:none", "-nowarn", "-cp", classPath(work.resolve("none")), "-d",
                        classes.toString(), source.toString());
        if (compiled != 0) {
            return "does not compile";
        }
        var failed = new LinkedHashSet<String>();
        for (Judge test : allTests ? allTestClasses() : Set.of(Judge.of(mutation))) {
            failed.addAll(failures(classes, test));
        }
        if (allTests) {
            return failed.isEmpty() ? "by any test" : "caught by " + failed;
        }
        boolean caught = failed.stream().anyMatch(test -> NESTED.matcher(test).replaceAll("").equals(mutation.test()));
        return caught ? "caught" : "by " + mutation.test() + ", but these failed: " + failed;
    }

    /// Returns the modules that can have defects or tests.
    static List<String> modules(Path root) {
        return Stream.concat(Modules.all(root).stream(), Stream.of("tests")).toList();
    }

    /// Runs a test class with the classes of a folder instead of the built ones.
    ///
    /// @return the failed tests, as `class#method`; another text if the run did not finish
    private Set<String> failures(Path classes, Judge judge) throws IOException, InterruptedException {
        String test = judge.test();
        var command = new ArrayList<String>();
        command.add(JavaProcess.launcher());
        command.addAll(Modules.options(home(test)));
        if (!judge.kernel().isEmpty()) {
            command.add("-Dverbs4j.simulate=2:" + judge.kernel());
            command.add("-Dos.version=" + judge.kernel() + ".0-simulated");
        }
        command.addAll(List.of(
                "--add-modules=jdk.management",
                "-cp",
                classPath(classes),
                "org.junit.platform.console.ConsoleLauncher",
                "execute",
                "--disable-banner",
                "--disable-ansi-colors",
                "--details=none",
                "--config=jqwik.database=" + classes.resolveSibling("jqwik-database"),
                "--config=jqwik.shrinking.default=OFF",
                "-c",
                test));
        Path output = Files.createTempFile("verbs4j-mutation", ".log");
        Process process = new ProcessBuilder(command)
                .directory(home(test).toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
        process.destroyForcibly();
        var failed = new LinkedHashSet<String>();
        var matcher = FAILED.matcher(Files.readString(output));
        while (matcher.find()) {
            failed.add(matcher.group(1) + "#" + matcher.group(2));
        }
        if (!ended) {
            failed.add("no end after " + LIMIT_SECONDS + " s");
        } else if (failed.isEmpty() && process.exitValue() != 0) {
            failed.add("exit code " + process.exitValue() + ", see " + output);
        }
        return failed;
    }

    /// The module that has a test, where the build runs it.
    private Path home(String test) {
        return modules(root).stream()
                .map(root::resolve)
                .filter(module -> Files.exists(module.resolve("target/test-classes")
                        .resolve(test.replace('.', '/') + ".class")))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("there is no " + test));
    }

    private Set<Judge> allTestClasses() throws IOException {
        var names = new LinkedHashSet<Judge>();
        for (String module : modules(root)) {
            Path classes = root.resolve(module).resolve("target/test-classes");
            if (Files.exists(classes)) {
                try (Stream<Path> files = Files.walk(classes)) {
                    files.map(file -> classes.relativize(file).toString())
                            .filter(file -> file.matches("io/verbs4j/.*(Test|Properties)\\.class"))
                            .map(file -> file.replaceAll("\\.class$", "").replace('/', '.'))
                            .filter(name -> !name.contains(".architecture.")) // looks at the built jars
                            .forEach(name -> names.add(new Judge(name, "")));
                }
            }
        }
        return names;
    }

    private String classPath(Path first) throws IOException {
        var path = new ArrayList<>(List.of(first.toString()));
        for (String module : modules(root)) {
            path.add(root.resolve(module).resolve("target/classes").toString());
            path.add(root.resolve(module).resolve("target/test-classes").toString());
        }
        try (Stream<Path> jars = Files.list(root.resolve("tests/target/dist/lib"))) {
            jars.filter(jar -> !jar.getFileName().toString().startsWith("verbs4j-"))
                    .forEach(jar -> path.add(jar.toString()));
        }
        return String.join(File.pathSeparator, path);
    }
}
