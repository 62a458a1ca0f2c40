// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.step;

import io.verbs4j.roce.RoceFrame;
import io.verbs4j.tools.capture.WireCapture;
import io.verbs4j.tools.capture.WireEntries;
import io.verbs4j.tracing.TextTrace;
import io.verbs4j.tracing.TraceEntry;
import io.verbs4j.tracing.TraceLevel;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Shows steps.
final class StepScreen {
    private static final int WIDTH = 92;
    private static final String RULE = "=".repeat(78);

    private final PrintWriter out;
    private final Recorder recorder;
    private final TraceLevel level;
    private final long startNanos;
    private final @Nullable WireCapture capture;
    private final String noPackets;
    private int packetsShown;

    /// @param startNanos start of the trace
    /// @param capture null if there is none
    /// @param noPackets the reason why there is none
    StepScreen(
            PrintWriter out,
            Recorder recorder,
            TraceLevel level,
            long startNanos,
            @Nullable WireCapture capture,
            String noPackets) {
        this.out = out;
        this.recorder = recorder;
        this.level = level;
        this.startNanos = startNanos;
        this.capture = capture;
        this.noPackets = noPackets;
    }

    /// Runs a step and shows it.
    void show(int number, int of, SteppedProgram.Step step) {
        out.println(RULE);
        out.println("Step " + number + " of " + of + ": " + step.title());
        out.println(RULE);
        out.println(step.why());
        section("The program calls");
        step.program().strip().lines().forEach(this::line);
        out.flush();
        step.action().run();
        out.println();
        out.flush();
    }

    /// Shows the calls to the kernel since the last time, as the text of a trace.
    void crossed(String title) {
        List<TraceEntry> news = recorder.news();
        if (news.isEmpty()) {
            return;
        }
        section(title);
        var text = new StringWriter();
        var trace = new TextTrace(text, level);
        news.forEach(trace::accept);
        text.toString().lines().forEach(line -> wrapped(line.strip()));
    }

    /// Discards the calls since the last time, because only the pictures needed them.
    void forget() {
        recorder.news();
    }

    /// Prints a line, wrapped if it is long.
    private void wrapped(String text) {
        String rest = text;
        String indent = "";
        while (rest.length() > WIDTH) {
            int end = rest.lastIndexOf(' ', WIDTH);
            if (end <= 0) {
                break;
            }
            line(indent + rest.substring(0, end));
            rest = rest.substring(end + 1);
            indent = "       ";
        }
        line(indent + rest);
    }

    /// Shows a result.
    void result(String title, List<String> lines) {
        section(title);
        lines.forEach(this::line);
    }

    /// Shows the packets since the last time, with the work requests that they belong to.
    void packets() {
        section("Packets on the wire");
        if (capture == null) {
            line(noPackets);
            return;
        }
        List<RoceFrame> frames = capture.settled();
        List<TraceEntry> packets = new WireEntries(startNanos, capture.networkInterface())
                .tie(recorder.all(), frames)
                .packets();
        List<TraceEntry> news = packets.subList(packetsShown, packets.size());
        packetsShown = packets.size();
        if (news.isEmpty()) {
            line("none");
        }
        for (TraceEntry packet : news) {
            line("%-24s %s".formatted(packet.command(), packet.arguments().replaceFirst("^(out|in) ", "")));
            if (!packet.outcome().isEmpty()) {
                line("    " + packet.outcome());
            }
            if (!packet.explanation().isEmpty()) {
                line("    " + packet.explanation());
            }
        }
        String problem = capture.problem();
        if (!problem.isEmpty()) {
            line(problem);
        }
    }

    private void section(String title) {
        out.println();
        out.println("-- " + title);
    }

    private void line(String text) {
        out.println(text.isEmpty() ? "" : "   " + text);
    }
}
