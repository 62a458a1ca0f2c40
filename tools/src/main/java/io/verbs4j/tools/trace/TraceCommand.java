// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.trace;

import io.verbs4j.Device;
import io.verbs4j.tools.capture.WireCapture;
import io.verbs4j.tools.capture.WireEntries;
import io.verbs4j.tools.common.CommandRunner;
import io.verbs4j.tools.common.ToolDevices;
import io.verbs4j.tracing.JsonTrace;
import io.verbs4j.tracing.TextTrace;
import io.verbs4j.tracing.TraceLevel;
import io.verbs4j.tracing.TraceSink;
import io.verbs4j.tracing.Tracing;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `verbs trace`.
@Command(
        name = "trace",
        header = "Run a command of verbs, and show its system calls.",
        description = {
                "%nShows each system call with its structs, named objects, duration, and the meaning of an error. The"
                        + " text goes to stderr. To trace any other program, use the Java option"
                        + " -Dverbs4j.trace=fields (see docs/tracing.md).%n"
        },
        footer = {
                "%nExamples:",
                "  verbs trace devinfo -d rxe0                                  one line per call",
                "  verbs trace --level bytes devinfo -d rxe0                    all fields and all bytes",
                "  verbs trace --data-path --html t.html rc-pingpong -n 2 -d rxe0 10.9.0.2    also the rings",
                "  verbs trace --capture --html t.html rc-pingpong -n 2 -d rxe0 10.9.0.2      rings and packets",
                "  verbs trace --data-path --json t.json rc-pingpong -n 2 -d rxe0 10.9.0.2    also the rings, as JSON"
        })
public final class TraceCommand implements Callable<Integer> {
    /// The option that selects a device, in a command with one word per line. The name of the device is in the same
    /// word (`-drxe1`) or in the next one.
    private static final Pattern DEVICE =
            Pattern.compile("^(?:-d[=\\n]?|(?:--device|--ib-dev)[=\\n])(.+)$", Pattern.MULTILINE);

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(arity = "1..*", paramLabel = "<command>",
            description = "A command of verbs, with its options.") private List<String> command = new ArrayList<>();

    @Option(names = "--level", paramLabel = "<level>",
            description = "Detail: calls, fields or bytes (default: calls).") private TraceLevel level =
                    TraceLevel.CALLS;

    @Option(names = "--data-path",
            description = "Also show each work request and completion, and the rings' indices.") private boolean dataPath;

    @Option(names = "--capture",
            description = "Also show the packets of the command's device, with their work requests, at the end."
                    + " Includes --data-path. Needs root or CAP_NET_RAW.") private boolean capture;

    @Option(names = "--text", paramLabel = "<file>",
            description = "Write the text to <file> instead of stderr.") private @Nullable Path text;

    @Option(names = "--json", paramLabel = "<file>",
            description = "Also write one JSON object per line to <file>.") private @Nullable Path json;

    @Option(names = "--html", paramLabel = "<file>",
            description = "Also write an HTML page to <file>: the calls in sequence with all their bytes, the rings, and"
                    + " a timeline.") private @Nullable Path html;

    private final CommandRunner runner;

    /// @param runner runs the commands of the command line
    public TraceCommand(CommandRunner runner) {
        this.runner = runner;
    }

    @Override
    public Integer call() {
        if (command.getFirst().equals("trace")) {
            throw new ParameterException(spec.commandLine(), "'trace' cannot be nested");
        }
        List<Path> paths = Stream.of(text, json, html)
                .filter(Objects::nonNull)
                .map(path -> path.toAbsolutePath().normalize())
                .toList();
        if (paths.stream().distinct().count() < paths.size()) {
            throw new ParameterException(spec.commandLine(), "--text, --json and --html require different files");
        }
        var files = new LinkedHashMap<Path, Writer>();
        try {
            TraceSink sink = text == null
                    ? new TextTrace(spec.commandLine().getErr(), level)
                    : naming(text, new TextTrace(open(text, files), level));
            if (json != null) {
                sink = sink.and(naming(json, new JsonTrace(open(json, files))));
            }
            if (html == null && !capture) {
                return run(sink, null);
            }
            var page = new HtmlTrace();
            int code = run(sink, page);
            if (html != null) {
                page.write(html, "verbs " + String.join(" ", command));
            }
            return code;
        } finally {
            files.forEach(TraceCommand::close);
        }
    }

    /// @param page records all entries; null if not needed
    private int run(TraceSink sink, @Nullable HtmlTrace page) {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        WireCapture wire = capture ? WireCapture.start(device()) : null;
        try {
            Tracing.Session session = Tracing.start(page == null ? sink : sink.and(page), dataPath || capture);
            int code;
            try {
                code = runner.run(out, err, command.toArray(String[]::new));
            } finally {
                session.close();
            }
            if (wire != null && page != null) {
                WireEntries.Tied tied = new WireEntries(session.startNanos(), wire.networkInterface())
                        .tie(page.entries(), wire.settled());
                tied.packets().forEach(sink::accept);
                page.add(tied);
                String problem = wire.problem();
                if (!problem.isEmpty()) {
                    err.println(spec.qualifiedName() + ": " + problem);
                }
            }
            session.failure().ifPresent(failure -> {
                throw failure;
            });
            return code;
        } finally {
            if (wire != null) {
                wire.close();
            }
        }
    }

    /// Returns the device that the command will use. All commands select it by the same options.
    private Device device() {
        Matcher option = DEVICE.matcher(String.join("\n", command));
        return ToolDevices.select(option.find() ? option.group(1) : null);
    }

    /// Adds the file's name to a sink's failure.
    private static TraceSink naming(Path file, TraceSink sink) {
        return entry -> {
            try {
                sink.accept(entry);
            } catch (UncheckedIOException e) {
                throw cannotWrite(file, Objects.requireNonNull(e.getCause()));
            }
        };
    }

    private static UncheckedIOException cannotWrite(Path file, IOException failure) {
        return new UncheckedIOException("cannot write to " + file, failure);
    }

    private static Writer open(Path file, Map<Path, Writer> files) {
        try {
            Writer writer = Files.newBufferedWriter(file, StandardCharsets.UTF_8);
            files.put(file, writer);
            return writer;
        } catch (IOException e) {
            throw cannotWrite(file, e);
        }
    }

    private static void close(Path file, Writer writer) {
        try {
            writer.close();
        } catch (IOException e) {
            throw cannotWrite(file, e);
        }
    }
}
