// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import io.verbs4j.tools.pingpong.FailedCompletion;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `verbs perf`.
@Command(
        name = "perf",
        header = "Measure latency or bandwidth, like the programs of perftest.",
        description = {
                "%nTwo programs, a server and a client, repeat one kind of operation. Options, protocol and tables are"
                        + " those of perftest (ib_send_lat, ib_write_bw …), so either end may be the C program. Both"
                        + " ends need the same options.%n"
        },
        footer = {
                "%nThe program gives up if its peer does not answer for 120 s before the measurement, or for 30 s"
                        + " during its own measurement. It waits for the peer's measurement without a limit,"
                        + " and reports this on stderr after 10 s. The C programs always wait without a limit.",
                "%nExamples, two devices of one machine:",
                "  verbs perf send-lat -d rxe1                          the server",
                "  verbs perf send-lat -d rxe0 10.9.0.2                 the client",
                "  ib_send_lat -d rxe0 -x 1 -F 10.9.0.2                 or the client in C",
                "  verbs perf write-bw -d rxe0 -s 4096 -D 5 10.9.0.2    for five seconds",
                "  verbs perf read-lat -d rxe0 -a --csv 10.9.0.2        all sizes, for a spreadsheet"
        })
public final class PerfCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Mixin private final PerfOptions options = new PerfOptions();

    @ArgGroup private final Formats formats = new Formats();

    /// The output formats, which exclude each other.
    static final class Formats {
        @Option(
                names = "--json",
                description = "Print JSON.") private boolean json;

        @Option(
                names = "--csv",
                description = "Print comma-separated values.") private boolean csv;

        PerfReport.Format format() {
            return json ? PerfReport.Format.JSON : csv ? PerfReport.Format.CSV : PerfReport.Format.TABLE;
        }
    }

    @Override
    public Integer call() {
        var commandLine = spec.commandLine();
        PerfPlan plan;
        try {
            plan = PerfPlan.of(options);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(commandLine, e.getMessage(), e);
        }
        var report = new PerfReport(commandLine.getOut(), formats.format(), options.gigabits);
        try {
            new PerfRun(options, plan, report, commandLine.getErr()).run();
            return 0;
        } catch (FailedCompletion e) {
            commandLine.getOut().flush();
            commandLine.getErr().println(e.getMessage());
            commandLine.getErr().println("  likely cause: " + e.likelyCause());
            return 1;
        }
    }
}
