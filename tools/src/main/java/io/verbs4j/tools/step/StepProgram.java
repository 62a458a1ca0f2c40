// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.step;

import io.verbs4j.Device;
import io.verbs4j.Devices;
import io.verbs4j.tools.capture.WireCapture;
import io.verbs4j.tools.common.ToolDevices;
import io.verbs4j.tools.common.ToolException;
import io.verbs4j.tracing.TraceLevel;
import io.verbs4j.tracing.Tracing;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// The common part of programs that run in steps.
abstract class StepProgram implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(
            names = {"-d", "--device", "--ib-dev"},
            paramLabel = "<device>",
            description = "The device of the first end (default: the first device).") private @Nullable String device;

    @Option(
            names = "--peer-device",
            paramLabel = "<device>",
            description = "The device of the other end (default: the next device, or the same one if there is only"
                    + " one).") private @Nullable String peerDevice;

    @Option(names = "--level", paramLabel = "<level>",
            description = "Detail of the commands that reach the kernel: calls, fields or bytes (default: calls).") private TraceLevel level =
                    TraceLevel.CALLS;

    @Option(names = "--no-wait", description = "Do not wait for a key.") private boolean noWait;

    @Option(names = "--no-capture",
            description = "Do not capture packets. A capture needs root or CAP_NET_RAW.") private boolean noCapture;

    /// Returns the program. None of its steps has run.
    abstract SteppedProgram<?> program(Device here, Device there, StepScreen screen);

    @Override
    public Integer call() {
        Device here = ToolDevices.select(device);
        Device there = peerDevice == null ? another(here) : Devices.find(peerDevice);
        PrintWriter out = spec.commandLine().getOut();
        var recorder = new Recorder();
        String[] noPackets = {here.name().equals(there.name()) ? "both ends use the same device, so no packets leave it"
                : "not captured (--no-capture)"};
        try (
                WireCapture capture =
                        noCapture || here.name().equals(there.name()) ? null : capture(here, noPackets);
                Tracing.Session session = Tracing.start(recorder, true);
                var keys = noWait ? Keys.none() : Keys.ofTerminal(out)) {
            var screen = new StepScreen(out, recorder, level, session.startNanos(), capture, noPackets[0]);
            try (SteppedProgram<?> program = program(here, there, screen)) {
                List<SteppedProgram.Step> steps = program.steps();
                for (int i = 0; i < steps.size(); i++) {
                    screen.show(i + 1, steps.size(), steps.get(i));
                    if (i + 1 < steps.size() && !keys.next()) {
                        out.println("Ended before step " + (i + 2) + "; all objects are closed.");
                        break;
                    }
                }
            }
        } finally {
            out.flush();
        }
        return 0;
    }

    private static Device another(Device than) {
        return Devices.list()
                .stream()
                .filter(device -> !device.name().equals(than.name()) && device.providerName().isPresent())
                .findFirst()
                .orElse(than);
    }

    /// Starts a capture; null if it fails. Without it, only the packets are missing.
    private static @Nullable WireCapture capture(Device device, String[] why) {
        try {
            return WireCapture.start(device);
        } catch (ToolException e) {
            why[0] = String.valueOf(e.getMessage());
            return null;
        }
    }
}
