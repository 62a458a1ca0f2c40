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
record TestEnvironment(String home, Devices devices) {
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
        /// Those of user-mode Linux.
        REAL("on real devices");

        private final String text;
        private final List<String> options;

        Devices(String text, String... options) {
            this.text = text;
            this.options = List.of(options);
        }
    }

    /// All environments: first those of the judged modules, then others for the survivors, and finally real devices for
    /// the rest.
    static final List<List<TestEnvironment>> STAGES = List.of(
            Stream.concat(
                    Stream.of(Devices.NONE, Devices.SIMULATED_7_2)
                            .map(devices -> new TestEnvironment("tests", devices)),
                    Stream.of("uverbs-abi", "provider-api", "provider-rxe", "async")
                            .map(home -> new TestEnvironment(home, Devices.NONE)))
                    .toList(),
            Stream.concat(
                    Stream.of("provider-siw", "provider-mlx5", "roce", "simulator-junit", "tools")
                            .map(home -> new TestEnvironment(home, Devices.NONE)),
                    Stream.of(Devices.SIMULATED_6_1, Devices.SIMULATED_MLX5)
                            .map(devices -> new TestEnvironment("tests", devices)))
                    .toList(),
            List.of(new TestEnvironment("tests", Devices.REAL)));

    /// The kernel of user-mode Linux, as `tools/lab` names it.
    private static final String USER_MODE = "uml";

    /// Marks tests that are skipped on simulated devices.
    private static final Pattern ON_REAL_DEVICES = Pattern.compile("@(RealKernel|Siw\\.Test)\\b");

    /// The programs of the course, which run from jars without a defect, and random walks, which take long.
    private static final Set<String> LEFT_OUT = Set.of("CourseIT", "RandomWalksIT", "ConnectionWalksIT");

    boolean isReal() {
        return devices == Devices.REAL;
    }

    /// Returns the test classes of a project.
    List<String> tests(Path root) throws IOException {
        String name = devices == Devices.NONE ? "(Test|Properties)" : "IT";
        Path sources = root.resolve(home).resolve("src/test/java");
        try (Stream<Path> files = Files.walk(sources)) {
            return files.filter(file -> !isReal() || isOnRealDevices(file))
                    .map(file -> sources.relativize(file).toString())
                    .filter(file -> file.matches("io/verbs4j/.*" + name + "\\.java"))
                    .map(file -> file.replaceAll("\\.java$", "").replace('/', '.'))
                    .filter(test -> !test.contains(".architecture.") && !test.contains(".mutations."))
                    .filter(test -> !LEFT_OUT.contains(test.substring(test.lastIndexOf('.') + 1)))
                    .sorted()
                    .toList();
        }
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
                    root.resolve("tools/lab").toString(), "run", "--kernel", USER_MODE, "--siw", "--timeout", "3600",
                    "--"));
        }
        command.addAll(List.of(
                java, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED"));
        command.addAll(devices.options);
        return command;
    }

    @Override
    public String toString() {
        return devices.text;
    }
}
