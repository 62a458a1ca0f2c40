// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools;

import io.verbs4j.tools.common.CommandRunner;
import io.verbs4j.tools.common.Listening;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `verbs together`.
@Command(
        name = "together",
        header = "Run several commands in one process, such as both ends of a test.",
        description = {
                "%nSeparate the commands by --and. Each starts when the previous one waits for its peer, has ended, or"
                        + " has run for fifteen seconds. Each printed line begins with the number of its command."
                        + " Simulated devices exist in one process only, so both ends of a test over them have to"
                        + " run together. If a command fails, the others have three seconds to end.%n"
        },
        footer = {
                "%nExamples:",
                "  verbs --simulate 2 together rc-pingpong -d rxe1 -g 1 --and rc-pingpong -d rxe0 -g 1 localhost",
                "  verbs together rc-pingpong -d rxe1 -g 1 --and rc-pingpong -d rxe0 -g 1 localhost",
                "  verbs --simulate 2 together perf send-lat -d rxe1 --and perf send-lat -d rxe0 localhost",
                "  verbs --simulate 2 together rping -s -a 10.9.0.2 -C 2 -v --and rping -c -a 10.9.0.2 -C 2 -v"
        })
public final class TogetherCommand implements Callable<Integer> {
    private static final String SEPARATOR = "--and";
    private static final long START_SECONDS = 15;
    private static final long REST_SECONDS = 3;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(arity = "1..*", paramLabel = "<command>",
            description = "Commands of verbs with their options, separated by --and.") private List<String> words =
                    new ArrayList<>();

    private final CommandRunner runner;
    private final List<Part> parts = new ArrayList<>();
    /// Guards the exit codes of the parts.
    private final Object lock = new Object();

    /// @param runner runs the commands of the command line
    public TogetherCommand(CommandRunner runner) {
        this.runner = runner;
    }

    /// One of the commands.
    private final class Part {
        final String[] arguments;
        final CountDownLatch waits = new CountDownLatch(1);
        private final PrintWriter out;
        private final PrintWriter err;
        private final Thread thread;
        private @Nullable Integer code; // guarded by lock

        Part(int number, List<String> arguments) {
            this.arguments = arguments.toArray(String[]::new);
            String label = number + "| ";
            out = new PrintWriter(new LabelledLines(label, spec.commandLine().getOut()));
            err = new PrintWriter(new LabelledLines(label, spec.commandLine().getErr()), true);
            thread = Thread.ofPlatform()
                    .daemon()
                    .name("command " + number)
                    .unstarted(() -> Listening.run(waits::countDown, this::run));
        }

        private void run() {
            int result = spec.exitCodeOnExecutionException();
            try {
                result = runner.run(out, err, arguments);
            } finally {
                out.close();
                err.close();
                synchronized (lock) {
                    code = result;
                    lock.notifyAll();
                }
                waits.countDown();
            }
        }

        void start() throws InterruptedException {
            thread.start();
            waits.await(START_SECONDS, TimeUnit.SECONDS);
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        split();
        for (Part part : parts) {
            part.start();
        }
        return awaitAll();
    }

    private void split() {
        var arguments = new ArrayList<String>();
        for (String word : words) {
            if (word.equals(SEPARATOR)) {
                add(arguments);
                arguments.clear();
            } else {
                arguments.add(word);
            }
        }
        add(arguments);
    }

    private void add(List<String> arguments) {
        if (arguments.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "a command is missing before or after " + SEPARATOR);
        }
        if (arguments.getFirst().equals(spec.name())) {
            throw new ParameterException(spec.commandLine(),
                    "'together' cannot be nested; separate all commands by --and");
        }
        parts.add(new Part(parts.size() + 1, arguments));
    }

    /// Waits until all commands have ended, or one has failed and the others had time to end.
    ///
    /// @return exit code of the first command that failed; 0 if none failed
    private int awaitAll() throws InterruptedException {
        long end = 0;
        synchronized (lock) {
            while (parts.stream().anyMatch(part -> part.code == null)) {
                if (failure() == 0) {
                    lock.wait();
                    continue;
                }
                long now = System.nanoTime();
                end = end == 0 ? now + TimeUnit.SECONDS.toNanos(REST_SECONDS) : end;
                if (now - end >= 0) {
                    break;
                }
                TimeUnit.NANOSECONDS.timedWait(lock, end - now);
            }
            for (Part part : parts) {
                if (part.code == null) {
                    spec.commandLine()
                            .getErr()
                            .println(spec.qualifiedName() + ": stopped because another command failed: "
                                    + String.join(" ", part.arguments));
                }
            }
            return failure();
        }
    }

    private int failure() {
        return parts.stream()
                .map(part -> part.code)
                .filter(code -> code != null && code != 0)
                .findFirst()
                .orElse(0);
    }
}
