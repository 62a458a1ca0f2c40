// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import io.verbs4j.abi.Recording;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.types.QueuePairType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// A simulated queue pair answers random packets and executes random work requests, right and wrong ones, as it did
/// when they were recorded, on any kernel: with the same packets, completions, events, states and counters.
/// `packets.txt` ([Recording]) has checksums; a run writes the lines behind them to `target/packets`. Device tests
/// compare the simulator with real kernels; this test detects changes in cases that a real kernel cannot be brought to.
class RecordedPacketsTest {
    private static final Path FILE = Path.of("src/test/resources/io/verbs4j/simulator/rxe/packets.txt");
    private static final int STEPS = 1000;
    private static final int SEEDS = 4;
    private static final QueuePairType[] TYPES = {QueuePairType.RC, QueuePairType.UC, QueuePairType.UD};

    private final List<String> results = new ArrayList<>();

    private void run(String name, KernelProfile kernel, QueuePairType type, int seed, Consumer<RandomPeer> step)
            throws IOException {
        boolean shared = seed % 2 == 1;
        try (var bench = new Bench(kernel, type, shared, seed == 2, seed == 1)) {
            var peer = new RandomPeer(bench, seed);
            for (int i = 0; i < STEPS; i++) {
                step.accept(peer);
            }
            bench.poll();
            bench.look();
            String title = name + " " + type + " " + kernel + " " + seed;
            Path folder = Files.createDirectories(Path.of("target/packets"));
            Files.write(folder.resolve(title.replace(' ', '-') + ".txt"), bench.lines);
            results.add(title + ": " + bench.lines.size() + " lines, "
                    + Bench.sum(String.join("\n", bench.lines).getBytes(StandardCharsets.UTF_8)));
        }
    }

    @Test
    void areAsRecorded() throws IOException {
        for (QueuePairType type : TYPES) {
            for (KernelProfile kernel : KernelProfile.values()) {
                for (int seed = 0; seed < SEEDS; seed++) {
                    run("requests", kernel, type, seed, RandomPeer::request);
                    run("answers", kernel, type, seed, RandomPeer::answer);
                }
            }
        }
        Recording.compare(FILE, results);
    }
}
