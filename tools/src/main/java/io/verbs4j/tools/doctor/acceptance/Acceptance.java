// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor.acceptance;

import io.verbs4j.Device;
import io.verbs4j.tools.common.CommandRunner;
import io.verbs4j.tools.common.ToolException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Runs all checks on a device, and writes the report row by row. If the machine crashes, the report contains the rows
/// up to then.
public final class Acceptance {
    private static final int FAILED = 4;
    private static final int PORT = 1;
    private static final long MEMORY = 1L << 18;

    private final Device device;
    private final List<PrintWriter> writers;
    private final CommandRunner commands;
    private final Checklist list = new Checklist(this::print);

    private Acceptance(Device device, List<PrintWriter> writers, CommandRunner commands) {
        this.device = device;
        this.writers = writers;
        this.commands = commands;
    }

    /// Runs the checks.
    ///
    /// @param report the file for the report; overwritten
    /// @param out receives the same lines
    /// @param commands runs commands of verbs4j, for the comparison with C
    /// @return 0 if nothing failed, else 4
    /// @throws ToolException if the report cannot be written
    public static int run(Device device, Path report, PrintWriter out, CommandRunner commands) {
        try (var file = new PrintWriter(Files.newBufferedWriter(report, StandardCharsets.UTF_8))) {
            int code = new Acceptance(device, List.of(file, out), commands).run();
            if (file.checkError()) {
                throw new ToolException("cannot write the report to " + report);
            }
            out.println("The report is in " + report.toAbsolutePath() + ".");
            out.flush();
            return code;
        } catch (IOException e) {
            throw new ToolException("cannot write the report to " + report + ": " + e,
                    "choose another file with --report");
        }
    }

    private int run() {
        print("verbs4j acceptance of " + device.name());
        Facts.of(device).forEach(this::print);
        print("");
        var opened = new ArrayList<Bench>();
        list.check("device: open", () -> {
            opened.add(new Bench(device, PORT, MEMORY));
            return opened.getFirst().context().toString();
        });
        opened.forEach(this::check);
        long failed = list.count(Outcome.FAILED);
        print("");
        print(list.count(Outcome.PASSED) + " passed, " + failed + " failed, " + list.count(Outcome.LEFT_OUT)
                + " left out");
        if (device.isExperimental()) {
            print("The provider " + device.providerName().orElse("")
                    + " is experimental: please send this report to the project,"
                    + " whether or not all checks passed.");
        }
        return failed == 0 ? 0 : FAILED;
    }

    private void check(Bench bench) {
        list.afterFailure(bench::discard);
        new ObjectChecks(bench, list).run();
        new ReliableChecks(bench, list).run();
        new KeyChecks(bench, list).run();
        new SharedQueueChecks(bench, list).run();
        new DatagramChecks(bench, list).run();
        new FailureChecks(bench, list).run();
        new BesideC(bench, list, commands).run();
        list.check("device: close all", () -> {
            bench.close();
            return "";
        });
    }

    private void print(Row row) {
        print(row.toString());
    }

    private void print(String line) {
        for (PrintWriter writer : writers) {
            writer.println(line);
            writer.flush();
        }
    }
}
