// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.rings;

import io.verbs4j.tools.common.CNumber;
import io.verbs4j.tools.common.Json;
import io.verbs4j.tools.common.JsonOption;
import io.verbs4j.tools.programs.JavaPrograms;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `verbs rings`.
@Command(
        name = "rings",
        header = "Watch the rings of a running program: fill, indices, oldest work request, completions.",
        description = {
                "%nAttaches to a Java program and reads its management interface. Start the program with"
                        + " -Dverbs4j.management=true, and on the module path also with --add-modules"
                        + " java.management. Watching does not slow down the program. Without <pid>, lists the"
                        + " programs that have an RDMA device open.%n"
        },
        footer = {
                "%nExamples:",
                "  VERBS4J_JAVA_OPTIONS=-Dverbs4j.management=true verbs rc-pingpong -d rxe1 &",
                "  verbs rings                        list the programs",
                "  verbs rings 4711                   watch one, until Ctrl-C",
                "  verbs rings 4711 --once --json     its rings now, for programs"
        })
public final class RingsCommand implements Callable<Integer> {
    private static final String CLEAR = "\u001b[H\u001b[2J";

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "<pid>", converter = CNumber.Positive.class,
            description = "The process to watch; without it, the candidates are listed.") private @Nullable Integer pid;

    @Option(names = "--interval", paramLabel = "<seconds>", converter = CNumber.Positive.class,
            description = "Seconds between two samples (default: 1).") private @Nullable Integer interval;

    @Option(names = "--count", paramLabel = "<times>", converter = CNumber.Positive.class,
            description = "Stop after this many samples (default: never).") private @Nullable Integer count;

    @Option(names = "--once", description = "Take one sample.") private boolean once;

    @Mixin private final JsonOption json = new JsonOption();

    /// Called by picocli.
    public RingsCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        if (pid == null) {
            list(out);
            return 0;
        }
        try (WatchedProgram program = WatchedProgram.attach(pid)) {
            watch(program, out);
        }
        return 0;
    }

    private void list(PrintWriter out) {
        List<JavaPrograms.Program> programs = JavaPrograms.ofSystem().usingDevices();
        if (json.isSet()) {
            out.println(Json.pretty(programs));
        } else {
            JavaPrograms.print(programs, out);
        }
        out.flush();
    }

    private void watch(WatchedProgram program, PrintWriter out) throws InterruptedException {
        int times = once ? 1 : count == null ? Integer.MAX_VALUE : count;
        List<Reading> before = List.of();
        for (int round = 0; round < times; round++) {
            if (round > 0) {
                Thread.sleep((interval == null ? 1 : interval) * 1000L);
            }
            List<Reading> now = program.read();
            print(out, now, before, times > 1);
            before = now;
        }
    }

    private void print(PrintWriter out, List<Reading> now, List<Reading> before, boolean again) {
        if (json.isSet()) {
            var line = new LinkedHashMap<String, Object>();
            line.put("pid", pid);
            line.put("rings", now.stream().map(reading -> reading.members(before)).toList());
            out.println(again ? Json.line(line) : Json.pretty(line));
        } else {
            if (again && spec.commandLine().getColorScheme().ansi() != Ansi.OFF && Ansi.AUTO.enabled()) {
                out.print(CLEAR);
            }
            if (now.isEmpty()) {
                out.println("program " + pid + " has no queues at the moment");
            } else {
                RingsTable.print(out, now, before);
            }
            if (again) {
                out.println();
            }
        }
        out.flush();
    }
}
