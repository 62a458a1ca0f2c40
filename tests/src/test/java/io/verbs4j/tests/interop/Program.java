// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.interop;

import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.tests.support.Repository;
import io.verbs4j.tools.pingpong.RcPingPongCommand;
import io.verbs4j.tools.pingpong.SrqPingPongCommand;
import io.verbs4j.tools.pingpong.UcPingPongCommand;
import io.verbs4j.tools.pingpong.UdPingPongCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import picocli.CommandLine;

/// A program that plays ping-pong, by the name of our command: `rc-pingpong`, `uc-pingpong` …
enum Program {
    /// Our command in this process, which spares the start of another.
    JAVA {
        @Override
        Running start(String game, String arguments) {
            return new InThisProcess(game, arguments);
        }
    },
    /// Our command as users start it.
    JAVA_PROCESS {
        @Override
        Running start(String game, String arguments) {
            return new InOwnProcess(List.of(Repository.tool("verbs").toString(), game), arguments);
        }
    },
    /// The one of libibverbs.
    C {
        @Override
        Running start(String game, String arguments) {
            return new InOwnProcess(List.of("ibv_" + game.replace('-', '_')), arguments);
        }
    };

    private static final Map<String, Supplier<Object>> COMMANDS = Map.of(
            "rc-pingpong", RcPingPongCommand::new,
            "uc-pingpong", UcPingPongCommand::new,
            "ud-pingpong", UdPingPongCommand::new,
            "srq-pingpong", SrqPingPongCommand::new);

    abstract Running start(String game, String arguments);

    /// A program that runs.
    interface Running extends AutoCloseable {
        /// Waits for its end.
        int exitCode(Duration limit);

        /// Returns what it has printed until now.
        String output();

        @Override
        void close();
    }

    private static final class InThisProcess implements Running {
        private final StringWriter output = new StringWriter();
        private final InThread.Started<Integer> command;

        InThisProcess(String game, String arguments) {
            var writer = new PrintWriter(output);
            Object program = Objects.requireNonNull(COMMANDS.get(game), game).get();
            command = InThread.PLATFORM.start(() -> new CommandLine(program)
                    .setOut(writer)
                    .setErr(writer)
                    .execute(arguments.split(" ")));
        }

        @Override
        public int exitCode(Duration limit) {
            try {
                return command.result(limit);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public String output() {
            return output.toString();
        }

        @Override
        public void close() {
            command.interrupt();
        }
    }

    private static final class InOwnProcess implements Running {
        private final ExternalProcess.Running process;

        InOwnProcess(List<String> program, String arguments) {
            var command = new ArrayList<>(program);
            command.addAll(List.of(arguments.split(" ")));
            process = ExternalProcess.of(command).start();
        }

        @Override
        public int exitCode(Duration limit) {
            return process.await(limit).exitCode();
        }

        @Override
        public String output() {
            return process.output();
        }

        @Override
        public void close() {
            process.close();
        }
    }
}
