// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm.walks;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.cm.walks.ConnectionWalkRun.Taken;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.Repository;
import io.verbs4j.tests.walks.WalkSearch;
import io.verbs4j.tools.common.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.sessions.JqwikSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The same walks have the same outcomes through verbs4j and through librdmacm. The system properties `walks` and
/// `walks.seed` set their number and first seed. With `walks.minutes`, the test runs for a quarter of that time.
@DeviceTest
@RealKernel("programs in C")
@Needs.OneKernel
class ConnectionReplayIT {
    private static final int WALKS = 5;
    private static final int MORE = 50;

    @TempDir Path folder;

    @Test
    @Timeout(value = 7, unit = TimeUnit.DAYS) // each wait has its own limit
    void throughLibrdmacmComesToTheSame() throws IOException {
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
        var walks = new ArrayList<List<Taken>>();
        JqwikSession.run(() -> {
            for (long seed = first; seed < first + count; seed++) {
                walks.add(ConnectionWalkRun.take(
                        ConnectionWalks.of(seed).value(), new KernelConnections(), Eventually.LIMIT));
            }
        });
        Path file = Files.write(
                folder.resolve("walks"),
                walks.stream().map(walk -> Json.line(walk.stream().map(ConnectionReplayIT::step).toList())).toList());
        Path results = folder.resolve("results");
        var end = ExternalProcess.pyverbs(
                Repository.tool("lab").resolveSibling("lab.d").resolve("replay-connections.py"),
                file.toString(),
                results.toString())
                .run(Duration.ofSeconds(120 + 20L * count));
        compare(first, walks, Files.readAllLines(results));
        end.requireSuccess();
    }

    private static Map<String, Object> step(Taken taken) {
        Command command = taken.command();
        var step = new LinkedHashMap<String, Object>();
        step.put("do", command.kind().name());
        step.put("id", command.identifier());
        step.put("channel", ConnectionModel.channel(command));
        step.put("host", command.place().host);
        step.put("port", command.port());
        step.put("data", HexFormat.of().formatHex(command.data()));
        step.put("hasty", command.hasty());
        step.put("events", taken.events().size());
        return step;
    }

    private static void compare(long first, List<List<Taken>> walks, List<String> answers) {
        int line = 0;
        for (int i = 0; i < walks.size(); i++) {
            for (Taken taken : walks.get(i)) {
                String answer = line < answers.size() ? answers.get(line++) : "nothing";
                // librdmacm fails itself on what has no device yet: it reads the device's limits.
                String outcome = answer.startsWith("left out: ") && taken.outcome().equals("EINVAL") ? "left out"
                        : taken.outcome();
                assertThat(answer)
                        .as("librdmacm in the walk of seed %d, at %s of\n%s", first + i, taken, walks.get(i))
                        .isEqualTo(outcome + ": " + String.join("; ", taken.events()));
            }
        }
        assertThat(answers).hasSize(line);
    }
}
