// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs the same scripts on this provider and on unmodified libmlx5: requests, queue memory, doorbells and completions
/// are equal after each step. The system property `oracle.scripts` sets the number of scripts, `oracle.seed` the first
/// seed.
///
/// Needs gcc, libibverbs-dev and ibverbs-providers. Without them, the outputs are compared with recorded ones of
/// libmlx5 (`libmlx5-outputs.txt`, one digest per seed), which `oracle.record` writes.
class SameAsLibmlx5Test {
    private static final int SCRIPTS = Integer.getInteger("oracle.scripts", 300);
    private static final long SEED = Long.getLong("oracle.seed", 1);
    private static final int STEPS = 60;
    private static final int PORTION = 100;
    private static final Path RECORDED = Path.of("src/test/resources/libmlx5-outputs.txt");

    @TempDir
    @SuppressWarnings("NullAway") // set by JUnit
    private Path folder;

    @Test
    void randomScriptsGiveTheSameBytes() throws IOException, InterruptedException {
        boolean recording = Boolean.getBoolean("oracle.record");
        var digests = new ArrayList<String>();
        Path oracle = oracle();
        for (long first = SEED; first < SEED + SCRIPTS; first += PORTION) {
            var scripts = new ArrayList<String>();
            var outputs = new ArrayList<String>();
            for (long seed = first; seed < Math.min(first + PORTION, SEED + SCRIPTS); seed++) {
                RandomScript random = new RandomScript(seed).any(STEPS);
                random.close();
                scripts.add(random.script());
                outputs.add(random.output());
                digests.add(seed + " " + digest(random.output()));
            }
            if (oracle != null) {
                compare(first, scripts, outputs, play(oracle, scripts));
            }
        }
        if (recording) {
            Files.write(RECORDED, digests.subList(0, Math.min(PORTION, digests.size())));
        }
        if (oracle == null || SEED == 1) {
            List<String> recorded = Files.readAllLines(RECORDED);
            int both = Math.min(recorded.size(), digests.size());
            assertThat(digests.subList(0, both)).isEqualTo(recorded.subList(0, both));
        }
    }

    @Test
    void countersPassTheirEndWithTheSameBytes() throws IOException, InterruptedException {
        RandomScript random = new RandomScript(SEED).overflow();
        random.close();
        Path oracle = oracle();
        if (oracle != null) {
            compare(SEED, List.of(random.script()), List.of(random.output()), play(oracle, List.of(random.script())));
        }
        assertThat(random.output()).contains("wc ").contains("  qp0.db+0 ");
    }

    /// Compiles the oracle. Returns null and prints a warning if its requirements are not installed.
    private @Nullable Path oracle() throws IOException, InterruptedException {
        if (!Files.exists(Path.of("/usr/include/infiniband/verbs.h")) || !Files.exists(Path.of("/usr/bin/gcc"))
                || !Files.exists(Path.of("/usr/lib/x86_64-linux-gnu/libibverbs"))) {
            System.err
                    .println("WARNING: compared with recorded outputs of libmlx5 only; for libmlx5 itself install gcc,"
                            + " libibverbs-dev and ibverbs-providers");
            return null;
        }
        Path program = folder.resolve("oracle");
        Path sources = Path.of("src/test/oracle");
        run(
                List.of(
                        "gcc",
                        "-std=gnu11",
                        "-O1",
                        "-Wall",
                        "-Werror",
                        "-rdynamic",
                        "-o",
                        program.toString(),
                        sources.resolve("kernel.c").toString(),
                        sources.resolve("player.c").toString(),
                        "-libverbs",
                        "-ldl"),
                folder.resolve("nothing"),
                folder.resolve("gcc"));
        return program;
    }

    private List<String> play(Path oracle, List<String> scripts) throws IOException, InterruptedException {
        Path input = folder.resolve("scripts");
        Path output = folder.resolve("output");
        Files.writeString(input, String.join("", scripts));
        run(List.of(oracle.toString()), input, output);
        String all = Files.readString(output);
        return List.of(all.split("(?m)(?=^device$)"));
    }

    private void run(List<String> command, Path input, Path output) throws IOException, InterruptedException {
        if (!Files.exists(input)) {
            Files.createFile(input);
        }
        Process process = new ProcessBuilder(command)
                .redirectInput(input.toFile())
                .redirectOutput(output.toFile())
                .redirectError(folder.resolve("errors").toFile())
                .start();
        if (!process.waitFor(5, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            fail(command + " does not end");
        }
        if (process.exitValue() != 0) {
            fail(command + ": " + Files.readString(folder.resolve("errors")));
        }
    }

    private static void compare(long first, List<String> scripts, List<String> ours, List<String> theirs) {
        assertThat(theirs).hasSameSizeAs(ours);
        for (int i = 0; i < ours.size(); i++) {
            if (!ours.get(i).equals(theirs.get(i))) {
                fail("seed " + (first + i) + ": " + difference(ours.get(i), theirs.get(i)) + "\n"
                        + scripts.get(i)
                                .lines()
                                .limit(12)
                                .toList());
            }
        }
    }

    private static String difference(String ours, String theirs) {
        List<String> a = ours.lines().toList();
        List<String> b = theirs.lines().toList();
        int i = 0;
        while (i < a.size() && i < b.size() && a.get(i).equals(b.get(i))) {
            i++;
        }
        return "line " + i + "\nbefore  " + a.subList(Math.max(i - 5, 0), i) + "\nverbs4j "
                + a.subList(i, Math.min(i + 5, a.size())) + "\nlibmlx5 " + b.subList(i, Math.min(i + 5, b.size()));
    }

    private static String digest(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
