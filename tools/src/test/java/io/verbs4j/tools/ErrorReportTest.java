// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class ErrorReportTest {
    @Command(name = "verbs")
    private record Failing(Callable<Integer> action) implements Callable<Integer> {
        @Override
        public Integer call() throws Exception {
            return action.call();
        }
    }

    private static String report(Callable<Integer> action) {
        var err = new StringWriter();
        var errors = new ErrorReport(new VerbsCommand());
        int code = new CommandLine(new Failing(action))
                .setErr(new PrintWriter(err, true))
                .setExecutionStrategy(errors)
                .setExecutionExceptionHandler(errors)
                .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
                .execute();
        assertThat(code).isEqualTo(1);
        return err.toString().strip();
    }

    @Test
    void aLackOfThreadsOrMemoryIsOneLine() {
        assertThat(report(() -> {
            throw new OutOfMemoryError("unable to create native thread: possibly out of memory");
        })).isEqualTo(
                "verbs: the process cannot start another thread; possible causes: ulimit -u, pids.max of the control group, ulimit -v");
        assertThat(report(() -> {
            throw new OutOfMemoryError("Java heap space");
        })).contains("Java heap space", "-Xmx").doesNotContain("\n");
    }

    @Test
    void filesAreNamedWithTheReason() {
        assertThat(report(() -> {
            throw new AccessDeniedException("/file");
        })).isEqualTo("verbs: /file: permission denied");
        assertThat(report(() -> {
            throw new UncheckedIOException("cannot write to /file", new NoSuchFileException("/file"));
        })).isEqualTo("verbs: cannot write to /file: there is no such file or folder");
        assertThat(report(() -> {
            throw new UncheckedIOException(new FileSystemException("/file", null, "Read-only file system"));
        })).isEqualTo("verbs: /file: Read-only file system");
        assertThat(report(() -> {
            throw new UncheckedIOException("no route", new IOException("Network is unreachable"));
        })).isEqualTo("verbs: no route: Network is unreachable");
    }
}
