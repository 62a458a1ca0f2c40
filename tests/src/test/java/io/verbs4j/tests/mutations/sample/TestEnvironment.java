// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.mutations.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// An environment for running test classes.
///
/// @param home module in whose folder they run
/// @param devices the devices that they run on
/// @param kernel kernel of real devices, as `tools/lab` names it; empty without them
record TestEnvironment(String home, Devices devices, String kernel) {
    /// The devices that tests run on.
    enum Devices {
        NONE("without a device"),
        SIMULATED_7_2("on simulated Linux 7.2", "-Dverbs4j.simulate=2:7.2", "-Dos.version=7.2.0-simulated"),
        SIMULATED_6_1("on simulated Linux 6.1", "-Dverbs4j.simulate=2:6.1", "-Dos.version=6.1.0-simulated"),
        SIMULATED_MLX5(
                "on simulated mlx5 cards",
                "-Dverbs4j.simulate=2:7.2",
                "-Dverbs4j.tests.wire=mlx5",
                "-Dos.version=7.2.0-simulated",
                "-D" + SampleTests.TAGS + "=any-device | also-over-mlx5"),
        /// Those of the lab.
        REAL("on real devices");

        private final String text;
        private final List<String> options;

        Devices(String text, String... options) {
            this.text = text;
            this.options = List.of(options);
        }

        String text() {
            return text;
        }
    }

    /// Marks tests that are skipped on simulated devices.
    private static final Pattern ON_REAL_DEVICES = Pattern.compile("@(RealKernel|Siw\\.Test)\\b");

    /// The programs of the course, which run from jars without a defect.
    private static final String COURSE = "CourseIT";

    /// Random walks, which take long on real devices.
    private static final Set<String> WALKS = Set.of("RandomWalksIT", "ConnectionWalksIT");

    /// Returns the environments without real devices, the quick ones first.
    static List<List<TestEnvironment>> simulated(Path root) {
        return List.of(
                Stream.concat(Stream.of("tests"), Modules.all(root).stream())
                        .map(home -> new TestEnvironment(home, Devices.NONE, ""))
                        .toList(),
                Stream.of(Devices.SIMULATED_7_2, Devices.SIMULATED_6_1, Devices.SIMULATED_MLX5)
                        .map(devices -> new TestEnvironment("tests", devices, ""))
                        .toList());
    }

    /// Returns the environment with the devices of a kernel of the lab.
    static TestEnvironment real(String kernel) {
        return new TestEnvironment("tests", Devices.REAL, kernel);
    }

    boolean isReal() {
        return devices == Devices.REAL;
    }

    /// Returns the test classes of a project.
    List<String> tests(Path root) throws IOException {
        String name = devices == Devices.NONE ? "(Test|Properties)" : "IT";
        Path sources = root.resolve(home).resolve("src/test/java");
        if (!Files.exists(sources)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(sources)) {
            return files.filter(file -> !isReal() || isOnRealDevices(file))
                    .map(file -> sources.relativize(file).toString())
                    .filter(file -> file.matches("io/verbs4j/.*" + name + "\\.java"))
                    .map(file -> file.replaceAll("\\.java$", "").replace('/', '.'))
                    .filter(test -> !test.contains(".architecture.") && !test.contains(".mutations."))
                    .filter(test -> !isLeftOut(test.substring(test.lastIndexOf('.') + 1)))
                    .sorted()
                    .toList();
        }
    }

    private boolean isLeftOut(String test) {
        return test.equals(COURSE) || isReal() && WALKS.contains(test);
    }

    private static boolean isOnRealDevices(Path source) {
        try {
            Path around = source.resolveSibling("package-info.java");
            return Files.isRegularFile(source) && ON_REAL_DEVICES.matcher(Files.readString(source)).find()
                    || Files.exists(around) && ON_REAL_DEVICES.matcher(Files.readString(around)).find();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns the command line that starts a program in this environment: the lab's, if needed, followed by `java`
    /// with its options.
    List<String> command(Path root, String java) {
        var command = new ArrayList<String>();
        if (isReal()) {
            command.addAll(List.of(
                    root.resolve("tools/lab").toString(), "run", "--kernel", kernel, "--siw", "--timeout", "3600",
                    "--"));
        }
        command.addAll(List.of(java, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(Modules.options(root.resolve(home)));
        command.addAll(devices.options);
        return command;
    }

    @Override
    public String toString() {
        return devices.text;
    }
}
