// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.Repository;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tests.support.TcpPorts;
import io.verbs4j.tests.support.ToolRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Commands whose output cannot be written, because the disk is full or the reader has ended. They end, report the
/// reason, and undo their changes.
@DeviceTest
@RealKernel("/dev/full, tmpfs, and packet sockets")
@Needs.OneKernel
@Needs.LongRun("a dozen processes")
class FullDiskIT {
    private static final Duration LIMIT = Duration.ofSeconds(150);
    private static final String NO_SPACE = "No space left on device";
    private static final String FULL = "/dev/full";
    private static final int PORT = 19_801;

    /// Runs a line of a shell, in which `verbs` is our program.
    private static ExternalProcess.Result shell(String line) {
        return ExternalProcess.of("bash", "-c", "verbs() { '" + Repository.tool("verbs") + "' \"$@\"; }; " + line)
                .run(LIMIT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"devices", "counters --watch 1"})
    void aFullStandardOutputIsAnError(String command) {
        assertNoSpace(shell("verbs " + command + " >" + FULL));
    }

    /// The disk is full only after the measurement, so the server has received everything that it waits for. There is
    /// no second attempt, because a server serves one client.
    @Test
    void aFullStandardOutputIsAnErrorAfterAMeasurement() {
        String command = "perf send-lat -n 5 --json -p " + PORT;
        String serving = Repository.tool("verbs") + " " + command + " -d " + Rxe.RIGHT;
        try (var server = ExternalProcess.of(serving.split(" ")).start()) {
            Eventually.until(LIMIT, () -> TcpPorts.isListening(PORT), server::output);
            var client = shell("verbs " + command + " -d " + Rxe.LEFT + " 10.9.0.2 >" + FULL);
            assertNoSpace(client);
            assertThat(server.await(LIMIT).requireSuccess().output()).contains("\"send-lat\"");
        }
    }

    private static void assertNoSpace(ExternalProcess.Result result) {
        assertThat(result.exitCode()).as(result::toString).isEqualTo(1);
        assertThat(result.output())
                .contains("verbs: cannot write to the standard output: " + NO_SPACE)
                .doesNotContain("Exception", "\tat ");
    }

    @Test
    void aReaderThatGoesEndsACommandThatWouldGoOnForEver() {
        var result = shell("set -o pipefail; verbs counters --watch 1 | head -n 1 >/dev/null");
        assertThat(result.exitCode()).as(result::toString).isEqualTo(141);
        assertThat(result.output()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--text", "--json", "--html"})
    void aTraceThatCannotBeWrittenEndsAndTheProgramDoesNot(String option) {
        var run = ToolRun.of("trace", option, FULL, "devinfo", "-d", Rxe.LEFT);
        assertThat(run.exitCode()).as(run::toString).isEqualTo(1);
        assertThat(run.error()).contains("verbs trace: cannot write to " + FULL + ": " + NO_SPACE);
        assertThat(run.error()).doesNotContain("cannot decode", "Exception");
        assertThat(run.output()).as("what devinfo reports").contains("rxe0", "state");
    }

    @Test
    void aTraceThatAPropertyAsksForDoesNotHinderTheProgram() {
        var result = shell("VERBS4J_JAVA_OPTIONS=-Dverbs4j.trace=text=" + FULL + " verbs devinfo -d rxe0");
        assertThat(result.requireSuccess().output())
                .contains("the trace ends here: ", NO_SPACE, "state")
                .doesNotContain("\tat ");
    }

    @Test
    void aCaptureThatCannotBeWrittenEnds() {
        var run = ToolRun.of("capture", "-i", Rxe.LEFT, "-c", "1", "-w", FULL);
        assertThat(run.exitCode()).as(run::toString).isEqualTo(1);
        assertThat(run.error()).contains("verbs capture: cannot write " + FULL + ": " + NO_SPACE)
                .doesNotContain("\tat ");
    }

    @Test
    void aReportOfAcceptanceThatCannotBeWrittenIsAnError(@TempDir Path folder) throws IOException {
        withSmallDisk(folder, () -> {
            var run = ToolRun.of("doctor", "--acceptance", Rxe.LEFT, "--report", folder.resolve("report").toString());
            assertThat(run.exitCode()).as(run::toString).isEqualTo(1);
            assertThat(run.error()).contains("cannot write the report to " + folder).doesNotContain("\tat ");
        });
    }

    @Test
    void manualPagesThatDoNotFitAreAnError(@TempDir Path folder) throws IOException {
        withSmallDisk(folder, () -> ToolRun.of("manual", folder.toString())
                .requireFailure(1, "cannot write to " + folder, NO_SPACE));
    }

    /// Runs something while a folder has room for a page.
    private static void withSmallDisk(Path folder, Runnable action) throws IOException {
        ExternalProcess.of("mount", "-t", "tmpfs", "-o", "size=4k", "none", folder.toString())
                .run(LIMIT)
                .requireSuccess();
        try {
            assertThat(Files.getFileStore(folder).getTotalSpace()).isEqualTo(4096);
            action.run();
        } finally {
            ExternalProcess.of("umount", folder.toString()).run(LIMIT).requireSuccess();
        }
    }
}
