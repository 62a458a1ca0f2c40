// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A program that a test starts. Its output is written to a file, so that a full pipe cannot block it, and it has a
/// time limit.
public final class ExternalProcess {
    private final List<String> command;
    private String input = "";

    /// The result of a program.
    ///
    /// @param command its command line
    /// @param exitCode its exit code; -1 if it was stopped at its time limit
    /// @param output standard output and error
    public record Result(List<String> command, int exitCode, String output) {
        /// Fails unless the exit code is 0.
        public Result requireSuccess() {
            assertThat(exitCode).as(this::toString).isZero();
            return this;
        }

        @Override
        public String toString() {
            return String.join(" ", command) + "\nexit code " + exitCode + "\n" + output;
        }
    }

    private ExternalProcess(List<String> command) {
        this.command = command;
    }

    /// The program and its arguments.
    public static ExternalProcess of(String... command) {
        return new ExternalProcess(List.of(command));
    }

    /// The program and its arguments.
    public static ExternalProcess of(List<String> command) {
        return new ExternalProcess(List.copyOf(command));
    }

    /// A program with pyverbs: run by Debian's Python, whatever other one the PATH names, since pyverbs is made for
    /// that.
    public static ExternalProcess pyverbs(Path script, String... arguments) {
        var command = new ArrayList<>(List.of("/usr/bin/python3", script.toString()));
        command.addAll(List.of(arguments));
        return of(command);
    }

    /// A command of `tools/verbs` that a user runs who is not root and has no capabilities.
    public static ExternalProcess verbsOfOrdinaryUser(String... arguments) {
        var command = new ArrayList<>(List.of(Repository.tool("verbs").toString()));
        command.addAll(List.of(arguments));
        return ofOrdinaryUser(command);
    }

    /// A program and its arguments, run by a user who is not root and has no capabilities.
    public static ExternalProcess ofOrdinaryUser(List<String> command) {
        var all = new ArrayList<>(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
        all.addAll(command);
        return of(all);
    }

    /// Sets what it reads from standard input.
    public ExternalProcess input(String text) {
        input = text;
        return this;
    }

    /// Runs it to its end.
    public Result run(Duration limit) {
        try (Running running = start()) {
            return running.await(limit);
        }
    }

    /// Starts it.
    public Running start() {
        try {
            Path output = Files.createTempFile("output", ".txt");
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            try (var stdin = process.getOutputStream()) {
                stdin.write(input.getBytes(StandardCharsets.UTF_8));
            }
            return new Running(command, process, output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A program that runs. Closing stops it.
    public static final class Running implements AutoCloseable {
        private final List<String> command;
        private final Process process;
        private final Path output;

        private Running(List<String> command, Process process, Path output) {
            this.command = command;
            this.process = process;
            this.output = output;
        }

        /// Its process id.
        public long pid() {
            return process.pid();
        }

        /// Returns whether it has not ended yet.
        public boolean isAlive() {
            return process.isAlive();
        }

        /// Waits for its end; stops it at the limit.
        public Result await(Duration limit) {
            try {
                boolean ended = process.waitFor(TimeoutScale.scaled(limit).toMillis(), TimeUnit.MILLISECONDS);
                return new Result(command, ended ? process.exitValue() : -1, output());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return new Result(command, -1, output());
            }
        }

        /// Sends it a signal, such as `INT`.
        public void signal(String name) {
            of("kill", "-s", name, Long.toString(process.pid())).run(Duration.ofSeconds(10)).requireSuccess();
        }

        /// Returns what it has written until now.
        public String output() {
            try {
                return Files.readString(output);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /// Waits until it has written a text.
        public void awaitOutput(String part) {
            Eventually.until(() -> output().contains(part), () -> part + " is missing: " + output());
        }

        @Override
        public void close() {
            process.destroyForcibly();
            try {
                Files.deleteIfExists(output);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
