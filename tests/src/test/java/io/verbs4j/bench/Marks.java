// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Marks the start and end of runs, for a program outside that counts the guest's instructions
/// (`tests/src/bench/c/count.c`), and records in `runs.csv` which run ended with which mark. Does nothing without the
/// system property `bench.mark`, which sets the program that makes a mark.
final class Marks {
    private static final String HEADER = "mark,case,language,messages\n";

    private final Path runs;
    private final @Nullable String program;
    private int made;

    private Marks(Path runs, @Nullable String program) {
        this.runs = runs;
        this.program = program;
    }

    static Marks in(Path folder) {
        return new Marks(folder.resolve("runs.csv"), System.getProperty("bench.mark"));
    }

    /// Returns whether somebody counts, which makes everything slower.
    boolean areMade() {
        return program != null;
    }

    /// Options of a virtual machine whose code is counted: it writes down where its own library lies.
    List<String> options() {
        return areMade() ? List.of("-Dbench.maps=" + runs.resolveSibling("maps")) : List.of();
    }

    /// Begins a run.
    void begin() throws IOException, InterruptedException {
        if (program != null) {
            make(program);
        }
    }

    /// Ends a run that has succeeded.
    ///
    /// @param name the case's name, without a comma
    void end(String name, String language, int messages) throws IOException, InterruptedException {
        if (program == null) {
            return;
        }
        if (!Files.exists(runs)) {
            Files.writeString(runs, HEADER);
        }
        Files.writeString(
                runs,
                made + "," + name + "," + language + "," + messages + "\n",
                StandardCharsets.UTF_8,
                StandardOpenOption.APPEND);
        make(program);
    }

    private void make(String mark) throws IOException, InterruptedException {
        int code = new ProcessBuilder(mark).inheritIO().start().waitFor();
        if (code != 0) {
            throw new IOException(mark + " ended with exit code " + code);
        }
        made++;
    }
}
