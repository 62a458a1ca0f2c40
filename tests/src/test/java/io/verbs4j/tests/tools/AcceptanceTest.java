// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.JavaProcess;
import io.verbs4j.tools.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The acceptance of a simulated device, as a process: its whole output, and the report.
class AcceptanceTest {
    private static final Duration LIMIT = Duration.ofSeconds(120);

    /// Columns of a row up to the time.
    private static final int NAMED = 60;

    private static final List<String> PASSED = List.of(
            "device: open",
            "device: attributes",
            "device: ports",
            "memory: regions of 1 B, 4 KiB, 1 MiB",
            "memory: change a region's access rights",
            "completion queue: create, poll, close",
            "completion queue: resize",
            "memory window: create, type 1",
            "memory window: create, type 2",
            "RC: connect",
            "RC: send, 1 B to 64 KiB",
            "RC: send with immediate data",
            "RC: send of two buffers",
            "RC: RDMA write, 1 B to 64 KiB",
            "RC: RDMA write with immediate data",
            "RC: RDMA read, 1 B to 64 KiB",
            "RC: inline send and write",
            "RC: compare and swap",
            "RC: fetch and add",
            "RC: unsignaled batches, 3 wraps of the ring",
            "RC: region at a chosen address",
            "RC: event of the completion channel",
            "RC: event only for a solicited message",
            "memory window: write through type 1",
            "memory window: write through type 2",
            "memory window: local invalidation",
            "memory window: invalidation by the peer",
            "memory: invalidation of a region by the peer",
            "shared receive queue: receive",
            "shared receive queue: limit event",
            "shared receive queue: resize",
            "UC: send",
            "UC: RDMA write with immediate data",
            "UD: send to an address handle",
            "failure: write with a wrong rkey",
            "failure: write beyond the region",
            "failure: write without access right",
            "failure: read with a wrong rkey",
            "failure: send from a wrong lkey",
            "failure: message longer than its receive",
            "failure: no receive (RNR)",
            "failure: receives and sends are flushed in ERR",
            "beside C: ping-pong, Java to Java",
            "device: close all");

    private static final List<String> WITH_C = List.of(
            "beside C: attributes, as ibv_devinfo -v",
            "beside C: ping-pong, C to C",
            "beside C: ping-pong, C to Java",
            "beside C: ping-pong, Java to C",
            "beside C: perf write-bw, C to Java",
            "beside C: perf write-bw, Java to C",
            "beside C: perf read-lat, C to Java",
            "beside C: perf read-lat, Java to C",
            "beside C: perf send-bw, C to Java",
            "beside C: perf send-bw, Java to C");

    @TempDir private Path folder;

    @Test
    void passesAndWritesWhatItPrints() throws IOException {
        Path report = folder.resolve("report.txt");
        ExternalProcess.Result run = run("7.2", report).requireSuccess();

        assertThat(names(run, "passed")).containsExactlyElementsOf(PASSED);
        assertThat(names(run, "left out")).containsExactlyElementsOf(WITH_C);
        assertThat(run.output())
                .startsWith("verbs4j acceptance of rxe0\ntime: ")
                .contains("\nprovider:    rxe\n", "\ndriver:      id 14, ABI 2\n", "which C programs need\n")
                .contains("\n" + PASSED.size() + " passed, 0 failed, " + WITH_C.size() + " left out\n")
                .doesNotContain("xperimental");
        assertThat(run.output())
                .isEqualTo(Files.readString(report) + "The report is in " + report.toAbsolutePath() + ".\n");
    }

    @Test
    void leavesOutWhatAnOlderKernelDoesNotHave() {
        ExternalProcess.Result run = run("6.1", folder.resolve("report.txt")).requireSuccess();
        assertThat(names(run, "left out")).contains("memory: change a region's access rights");
        assertThat(run.output()).contains("the driver does not announce REREGISTER_MEMORY");
    }

    @Test
    void saysWhereItCannotWrite() {
        Path nowhere = folder.resolve("missing/report.txt");
        ExternalProcess.Result run = run("7.2", nowhere);
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.output()).contains("cannot write the report to " + nowhere, "--report");
    }

    private static ExternalProcess.Result run(String kernel, Path report) {
        var command = new ArrayList<>(JavaProcess.command(Main.class));
        command.add(1, "-Dverbs4j.simulate=1:" + kernel);
        command.addAll(List.of("doctor", "--acceptance", "rxe0", "--report", report.toString()));
        return ExternalProcess.of(command).run(LIMIT);
    }

    private static List<String> names(ExternalProcess.Result run, String outcome) {
        return run.output()
                .lines()
                .filter(line -> line.startsWith(outcome + " "))
                .map(line -> line.substring(10, NAMED).strip())
                .collect(Collectors.toList());
    }
}
