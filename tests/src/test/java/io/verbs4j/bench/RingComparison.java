// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.bench;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntConsumer;

/// Runs [DataPath] and the equivalent C program alternately, and prints their medians and the ratio; for work that
/// librxe does in addition, also its cost in C. Times are processor time of the measuring thread, so that other work on
/// the machine has little effect.
///
/// Arguments: the C program, and the number of rounds.
final class RingComparison {
    private static final ThreadMXBean THREAD = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final long WARM_UP_NANOS = 600_000_000;
    private static final int SLICE_MILLIS = 20;
    private static final int CHUNK = 2_000;

    /// Bytes an operation that are the measurement's own.
    private static final double ROUNDING = 0.01;

    private final Map<String, IntConsumer> java = new LinkedHashMap<>();
    private final Map<String, List<Double>> javaTimes = new TreeMap<>();
    private final Map<String, List<Double>> times = new TreeMap<>();
    private final Map<String, Double> bytes = new TreeMap<>();

    private RingComparison() {}

    public static void main(String... arguments) throws IOException, InterruptedException {
        var comparison = new RingComparison();
        var paths = new ArrayList<DataPath>();
        for (String threads : List.of("locked", "single")) {
            var path = new DataPath();
            path.threads = threads;
            path.open();
            paths.add(path);
            comparison.add(threads, path);
        }
        comparison.run(arguments[0], Integer.parseInt(arguments[1]));
        comparison.print();
        paths.forEach(DataPath::close);
        comparison.requireNoAllocation();
    }

    // A loop of its own for each, so that the compiler treats each as it would in a program that does nothing else.
    private void add(String threads, DataPath path) {
        java.put("postWrite " + threads, n -> {
            for (int i = 0; i < n; i++) {
                path.postWrite();
            }
        });
        java.put("postSend " + threads, n -> {
            for (int i = 0; i < n; i++) {
                path.postSend();
            }
        });
        java.put("postRead " + threads, n -> {
            for (int i = 0; i < n; i++) {
                path.postRead();
            }
        });
        java.put("postWriteImmediate " + threads, n -> {
            for (int i = 0; i < n; i++) {
                path.postWriteImmediate();
            }
        });
        java.put("postSendImmediate " + threads, n -> {
            for (int i = 0; i < n; i++) {
                path.postSendImmediate();
            }
        });
        java.put("postWriteOfTwoBuffers " + threads, n -> {
            for (int i = 0; i < n; i++) {
                path.postWriteOfTwoBuffers();
            }
        });
        java.put("postInline48 " + threads, n -> {
            for (int i = 0; i < n; i++) {
                path.postInline48();
            }
        });
        java.put("postAtomic " + threads, n -> {
            for (int i = 0; i < n; i++) {
                path.postAtomic();
            }
        });
        java.put("postCompareAndSwap " + threads, n -> {
            for (int i = 0; i < n; i++) {
                path.postCompareAndSwap();
            }
        });
        java.put("postInvalidate " + threads, n -> {
            for (int i = 0; i < n; i++) {
                path.postInvalidate();
            }
        });
        java.put("postDatagram " + threads, n -> {
            for (int i = 0; i < n; i++) {
                path.postDatagram();
            }
        });
        java.put("postReceive " + threads, n -> {
            for (int i = 0; i < n; i++) {
                path.postReceive();
            }
        });
        java.put("postBatchOf16 " + threads, n -> {
            for (int i = 0; i < n; i++) {
                path.postBatchOf16();
            }
        });
        java.put("pollEmpty " + threads, n -> {
            for (int i = 0; i < n; i++) {
                path.pollEmpty();
            }
        });
        java.put("poll1 " + threads, n -> {
            for (int i = 0; i < n; i++) {
                path.poll1();
            }
        });
        java.put("poll16 " + threads, n -> {
            for (int i = 0; i < n; i++) {
                path.poll16();
            }
        });
        java.put("poll16ByCursor " + threads, n -> {
            for (int i = 0; i < n; i++) {
                path.poll16ByCursor();
            }
        });
        java.put("postAndPoll " + threads, n -> {
            for (int i = 0; i < n; i++) {
                path.postAndPoll();
            }
        });
    }

    private void run(String program, int rounds) throws IOException, InterruptedException {
        java.forEach((name, work) -> measure(work, WARM_UP_NANOS));
        for (int round = 0; round < rounds; round++) {
            runC(program);
            java.forEach((name, work) -> {
                long before = THREAD.getCurrentThreadAllocatedBytes();
                double[] result = measure(work, SLICE_MILLIS * 1_000_000L);
                bytes.put(name, (THREAD.getCurrentThreadAllocatedBytes() - before) / result[1]);
                javaTimes.computeIfAbsent(name, key -> new ArrayList<>()).add(result[0]);
            });
        }
    }

    /// Nanoseconds of an operation, and how many were done.
    private static double[] measure(IntConsumer work, long nanos) {
        long done = 0;
        long start = THREAD.getCurrentThreadCpuTime();
        long end;
        do {
            work.accept(CHUNK);
            done += CHUNK;
            end = THREAD.getCurrentThreadCpuTime();
        } while (end - start < nanos);
        return new double[]{(double) (end - start) / done, done};
    }

    private void runC(String program) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(program, String.valueOf(SLICE_MILLIS))
                .redirectErrorStream(true)
                .start();
        for (String line : new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).lines()
                .toList()) {
            int value = line.lastIndexOf(' ');
            times.computeIfAbsent(line.substring(0, value), key -> new ArrayList<>())
                    .add(Double.valueOf(line.substring(value + 1)));
        }
        if (process.waitFor() != 0) {
            throw new IllegalStateException(program + " failed");
        }
    }

    private void print() {
        System.out.printf("%-32s %9s %9s %7s %7s %10s %7s%n", "ns an operation", "C", "Java", "ratio", "B/op",
                "as librxe",
                "ratio");
        java.keySet().forEach(name -> {
            double c = median(times.getOrDefault(name, List.of()));
            double ours = median(javaTimes.getOrDefault(name, List.of()));
            System.out.printf("%-32s %9.1f %9.1f %7.2f %7.2f", name, c, ours, ours / c, bytes.get(name));
            List<Double> librxe = times.get(name.replace("locked", "librxe"));
            if (librxe != null && name.endsWith("locked")) {
                System.out.printf(" %10.1f %7.2f", median(librxe), ours / median(librxe));
            }
            System.out.println();
        });
    }

    private void requireNoAllocation() {
        bytes.values().removeIf(perOperation -> perOperation < ROUNDING);
        if (!bytes.isEmpty()) {
            System.err.println("bench-ring: these allocate, in bytes an operation: " + bytes);
            System.exit(1);
        }
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().skip(values.size() / 2).findFirst().orElse(Double.NaN);
    }
}
