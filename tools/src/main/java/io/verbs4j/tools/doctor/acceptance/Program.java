// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor.acceptance;

import io.verbs4j.tools.common.CommandRunner;
import io.verbs4j.tools.common.ToolException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// A C program in a process, or a command of verbs4j in this process.
interface Program extends AutoCloseable {
    /// Waits for the program's end, and checks that it succeeded.
    ///
    /// @return its output
    String await(long seconds) throws Exception;

    /// Returns whether the program has ended.
    boolean hasEnded();

    @Override
    void close();

    /// Starts a C program.
    static Program ofC(List<String> command) throws IOException {
        Path output = Files.createTempFile("acceptance", ".txt");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            process.getOutputStream().close();
            return new InC(String.join(" ", command), process, output);
        } catch (IOException e) {
            Files.deleteIfExists(output);
            throw e;
        }
    }

    /// Starts a command of `verbs`.
    static Program ofJava(CommandRunner commands, List<String> arguments) {
        return new InJava(commands, arguments);
    }

    /// Returns whether a program is in the search path.
    static boolean exists(String name) {
        String path = System.getenv("PATH");
        return path != null
                && List.of(path.split(":")).stream().anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
    }

    /// Returns the output of a program that ends at once; empty if it does not exist or fails.
    static Optional<String> output(String... command) {
        if (!exists(command[0])) {
            return Optional.empty();
        }
        try (Program program = ofC(List.of(command))) {
            return Optional.of(program.await(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (Exception e) {
            return Optional.empty();
        }
    }

    /// A process.
    record InC(String command, Process process, Path output) implements Program {
        @Override
        public String await(long seconds) throws Exception {
            boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
            String printed = Files.readString(output, StandardCharsets.ISO_8859_1);
            if (!ended || process.exitValue() != 0) {
                throw new ToolException(command
                        + (ended ? " ended with exit code " + process.exitValue()
                                : " did not finish within " + seconds + " s")
                        + ": " + printed.strip());
            }
            return printed;
        }

        @Override
        public boolean hasEnded() {
            return !process.isAlive();
        }

        @Override
        public void close() {
            process.destroyForcibly();
            try {
                Files.deleteIfExists(output);
            } catch (IOException e) {
                output.toFile().deleteOnExit();
            }
        }
    }

    /// A thread.
    final class InJava implements Program {
        private final String command;
        private final StringWriter output = new StringWriter();
        private final FutureTask<Integer> task;
        private final Thread thread;

        InJava(CommandRunner commands, List<String> arguments) {
            command = "verbs " + String.join(" ", arguments);
            var writer = new PrintWriter(output, true);
            task = new FutureTask<>(() -> commands.run(writer, writer, arguments.toArray(String[]::new)));
            thread = Thread.ofPlatform().name(command).daemon().start(task);
        }

        @Override
        public String await(long seconds) throws Exception {
            try {
                int code = task.get(seconds, TimeUnit.SECONDS);
                if (code == 0) {
                    return output.toString();
                }
                throw new ToolException(command + " ended with exit code " + code + ": " + output.toString().strip());
            } catch (TimeoutException e) {
                throw new ToolException(
                        command + " did not finish within " + seconds + " s: " + output.toString().strip());
            }
        }

        @Override
        public boolean hasEnded() {
            return task.isDone();
        }

        @Override
        public void close() {
            thread.interrupt();
        }
    }
}
