// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools;

import io.verbs4j.tools.common.IoFailure;
import io.verbs4j.tools.common.ToolException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IExecutionStrategy;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.UnmatchedArgumentException;

/// Reports a failure as one line and an exit code.
final class ErrorReport implements IExecutionStrategy, IExecutionExceptionHandler, IParameterExceptionHandler {
    private final VerbsCommand root;

    ErrorReport(VerbsCommand root) {
        this.root = root;
    }

    /// Runs the command. A lack of memory or of threads is reported like any other failure.
    @Override
    public int execute(ParseResult parsed) {
        try {
            return new RunLast().execute(parsed);
        } catch (OutOfMemoryError e) {
            String message = String.valueOf(e.getMessage());
            var failure = message.contains("native thread")
                    ? new ToolException(
                            "the process cannot start another thread",
                            "possible causes: ulimit -u, pids.max of the control group, ulimit -v")
                    : new ToolException(
                            "the virtual machine is out of memory: " + message,
                            "give it more (VERBS4J_JAVA_OPTIONS=-Xmx…)");
            throw new ExecutionException(parsed.asCommandLineList().getLast(), message, failure);
        }
    }

    /// Reports a failed command: exit code 1.
    @Override
    public int handleExecutionException(Exception failure, CommandLine command, @Nullable ParseResult arguments) {
        command.getOut().flush();
        print(command, message(failure));
        if (root.wantsStackTrace()) {
            failure.printStackTrace(command.getErr());
        }
        return ExitCode.SOFTWARE;
    }

    /// Reports a wrong command line: exit code 2.
    @Override
    public int handleParseException(ParameterException failure, String[] arguments) {
        CommandLine command = failure.getCommandLine();
        PrintWriter err = command.getErr();
        String unknown = unknownCommand(failure);
        if (unknown == null) {
            print(command, String.valueOf(failure.getMessage()));
            UnmatchedArgumentException.printSuggestions(failure, err);
        } else {
            print(command, UnknownCommand.explain(unknown, command));
        }
        err.println("try: " + command.getCommandSpec().qualifiedName() + " --help");
        return ExitCode.USAGE;
    }

    /// Returns the word in the place of the command, or null if the mistake is elsewhere.
    private static @Nullable String unknownCommand(ParameterException failure) {
        return failure instanceof UnmatchedArgumentException unmatched
                && !failure.getCommandLine().getSubcommands().isEmpty()
                && !unmatched.getUnmatched().isEmpty()
                && !unmatched.getUnmatched().getFirst().startsWith("-")
                        ? unmatched.getUnmatched().getFirst()
                        : null;
    }

    private static void print(CommandLine command, String message) {
        String name = command.getCommandSpec().qualifiedName();
        command.getErr().println(command.getColorScheme().errorText(name + ": " + message));
    }

    /// Completes a message with the reason. Java's own messages are those of the cause, with the name of its class.
    private static String withReason(String message, IOException cause) {
        String start = message.equals(cause.toString())
                ? cause instanceof FileSystemException named ? String.valueOf(named.getFile())
                        : "input or output failed"
                : message;
        return start.contains(IoFailure.reason(cause)) ? start : start + ": " + IoFailure.reason(cause);
    }

    /// Returns the message for the user. Exceptions of verbs4j have a complete message; for others, the type is named,
    /// too.
    private static String message(Exception failure) {
        String message = failure.getMessage();
        if (message == null) {
            return "unexpected " + failure.getClass().getSimpleName() + " (use --stacktrace to see where)";
        }
        return failure.getCause() instanceof IOException cause && failure instanceof UncheckedIOException
                ? withReason(message, cause)
                : failure instanceof FileSystemException named ? named.getFile() + ": " + IoFailure.reason(named)
                        : failure instanceof IOException other ? IoFailure.reason(other)
                                : message;
    }
}
