// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.sessions.JqwikSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The same walks have the same outcomes through verbs4j and through libibverbs and librxe. The system properties
/// `walks` and `walks.seed` set their number and first seed. With `walks.minutes`, the test runs for a quarter of that
/// time.
@DeviceTest
@RealKernel("pyverbs")
@Needs.OneKernel("what differs between kernels, the random walks show on each")
class ReplayIT {
    private static final int WALKS = 3;

    /// Walks by one start of Python, when there is time for more.
    private static final int MORE = 50;

    @TempDir Path folder;

    @Test
    @Timeout(value = 7, unit = TimeUnit.DAYS) // each wait has its own limit
    @Needs.LongRun("Python with pyverbs")
    void throughLibrxeComesToTheSame() throws IOException {
        long seed = WalkSearch.firstSeed();
        int count = Integer.getInteger("walks", WALKS);
        long deadline = System.nanoTime() + WalkSearch.time().dividedBy(4).toNanos();
        do {
            replay(seed, count);
            seed += count;
            count = Math.max(count, MORE);
        } while (System.nanoTime() - deadline < 0);
    }

    private void replay(long first, int count) throws IOException {
        System.out.println("replayed walks: " + count + " from seed " + first);
        var replays = new ArrayList<Replay>();
        JqwikSession.run(() -> {
            for (long seed = first; seed < first + count; seed++) {
                Walk walk = Replay.playable(Walks.of(seed).value());
                try {
                    replays.add(Replay.of(walk, WalkRun.take(walk, Eventually.LIMIT)));
                } catch (WalkRun.Deviation e) {
                    throw new AssertionError("the walk of seed " + seed + " went otherwise through verbs4j already", e);
                }
            }
        });
        Path walks = Files.write(folder.resolve("walks"), replays.stream().map(Replay::walk).toList());
        Path results = folder.resolve("results");
        ExternalProcess.pyverbs(
                Repository.tool("lab").resolveSibling("lab.d").resolve("replay-walks.py"),
                walks.toString(),
                results.toString())
                .run(Duration.ofSeconds(60 + 20L * count))
                .requireSuccess();
        compare(first, replays, Files.readAllLines(results));
    }

    private static void compare(long first, List<Replay> replays, List<String> answers) {
        int line = 0;
        for (int i = 0; i < replays.size(); i++) {
            Replay replay = replays.get(i);
            for (int step = 0; step < replay.answers().size(); step++) {
                assertThat(line < answers.size() ? answers.get(line++) : "nothing")
                        .as("librxe in the walk of seed %d, at %s of %s", first + i, replay.text(step), replay.walk())
                        .isEqualTo(replay.answers().get(step));
            }
        }
        assertThat(answers).hasSize(line);
    }
}
