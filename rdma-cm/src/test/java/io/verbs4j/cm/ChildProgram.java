// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A short program in a JVM of its own.
public final class ChildProgram {
    private ChildProgram() {}

    /// Runs a program until it closes its output, and returns the lines of its output and its errors.
    ///
    /// @param launcher the command that starts the JVM, such as `prlimit`; empty for none
    public static List<String> output(List<String> launcher, Class<?> main, String... arguments) throws IOException {
        var command = new ArrayList<>(launcher);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
}
