// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// A C program, started anew for each run. Bash reports the processor time of its child.
final class CEnd implements End {
    private static final String TIMED = "TIMEFORMAT='= %U %S'; time \"$@\"";

    private final Path output;
    private final @Nullable String preloaded;
    private @Nullable Process process;

    /// @param preloaded a library that the program has beside its own
    CEnd(Path output, @Nullable String preloaded) {
        this.output = output;
        this.preloaded = preloaded;
    }

    @Override
    public void start(List<String> command) throws IOException {
        var line = new ArrayList<>(List.of("bash", "-c", TIMED, "bash"));
        if (preloaded != null) {
            line.addAll(List.of("env", "LD_PRELOAD=" + preloaded)); // of the program alone: bash is not measured
        }
        line.addAll(command);
        process = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }

    @Override
    public boolean hasEnded() {
        return process == null || !process.isAlive();
    }

    @Override
    public Outcome await(long nanos) throws IOException, InterruptedException, TimeoutException {
        Process running = process;
        if (running == null) {
            throw new IllegalStateException("not started");
        }
        if (!running.waitFor(nanos, TimeUnit.NANOSECONDS)) {
            stop();
            throw new TimeoutException("the C program hangs");
        }
        List<String> lines = Files.readAllLines(output);
        if (running.exitValue() != 0 || lines.isEmpty()) {
            throw new IOException("the C program failed: " + String.join(" / ", lines));
        }
        String[] times = lines.getLast().split(" ");
        double seconds = Double.parseDouble(times[1]) + Double.parseDouble(times[2]);
        return new Outcome(lines, (long) (seconds * 1e9), 0);
    }

    @Override
    public void stop() {
        Process running = process;
        if (running != null) {
            running.descendants().forEach(ProcessHandle::destroyForcibly);
            running.destroyForcibly();
        }
    }
}
