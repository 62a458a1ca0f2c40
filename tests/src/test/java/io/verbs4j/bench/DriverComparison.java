// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Measures two programs in alternating slices, and prints medians and the ratio: [DriverPath] over siw and rxe, or
/// over mlx5 and `provider-mlx5/src/test/oracle/speed.c`, which uses unmodified libmlx5.
///
/// Arguments: `siw` or `mlx5`, the number of rounds, and for mlx5 the C program.
final class DriverComparison {
    private static final String SLICE_MILLIS = "20";

    /// Bytes an operation that are the measurement's own.
    private static final double ROUNDING = 0.01;

    /// A program that measures when it gets a line.
    private static final class Runner {
        private final Process process;
        private final BufferedReader output;
        private final Map<String, List<Double>> times = new TreeMap<>();
        private final Map<String, Double> bytes = new TreeMap<>();

        Runner(List<String> command) throws IOException {
            process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
            output = process.inputReader(StandardCharsets.US_ASCII);
        }

        static Runner java(String driver) throws IOException {
            return new Runner(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "--enable-native-access=ALL-UNNAMED",
                    "-XX:+UseSerialGC",
                    "-cp",
                    System.getProperty("java.class.path"),
                    DriverPath.class.getName(),
                    driver,
                    SLICE_MILLIS));
        }

        void round() throws IOException {
            process.outputWriter(StandardCharsets.US_ASCII).append('\n').flush();
            for (String line = output.readLine(); !line.isEmpty(); line = output.readLine()) {
                String[] fields = line.split(" ");
                times.computeIfAbsent(fields[0], name -> new ArrayList<>()).add(Double.valueOf(fields[1]));
                bytes.merge(fields[0], fields.length > 2 ? Double.parseDouble(fields[2]) : 0, Math::max);
            }
        }

        double median(String name) {
            List<Double> sorted = times.getOrDefault(name, List.of()).stream().sorted().toList();
            return sorted.isEmpty() ? Double.NaN : sorted.get(sorted.size() / 2);
        }

        void end() throws IOException, InterruptedException {
            process.outputWriter(StandardCharsets.US_ASCII).close();
            process.waitFor();
        }
    }

    private DriverComparison() {}

    public static void main(String... arguments) throws IOException, InterruptedException {
        String driver = arguments[0];
        boolean besideC = arguments.length > 2;
        Runner other = besideC ? new Runner(List.of(arguments[2], SLICE_MILLIS)) : Runner.java("rxe");
        Runner ours = Runner.java(driver);
        for (int round = 0; round < Integer.parseInt(arguments[1]); round++) {
            other.round();
            ours.round();
        }
        other.end();
        ours.end();
        System.out.printf(
                "%-16s %9s %9s %7s %7s%n", "ns an operation", besideC ? "libmlx5" : "rxe", driver, "ratio", "B/op");
        for (String name : List.of("postAndPoll", "postAndPoll16", "pollEmpty")) {
            System.out.printf(
                    "%-16s %9.1f %9.1f %7.2f %7.2f%n",
                    name,
                    other.median(name),
                    ours.median(name),
                    ours.median(name) / other.median(name),
                    ours.bytes.get(name));
        }
        if (ours.bytes.values().stream().anyMatch(perOperation -> perOperation > ROUNDING)) {
            System.err.println("bench-ring: these allocate, in bytes an operation: " + ours.bytes);
            System.exit(1);
        }
    }
}
