// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.ToolRun;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/// `verbs rings` attaches to running programs, and says why it cannot.
class RingsTest {
    @Test
    void theRingsOfAnotherProgramAreShown() throws Exception {
        Process program = Probes.start(WatchedProbe.class, "-Dverbs4j.management=true");
        try {
            String pid = Long.toString(program.pid());
            assertThat(ToolRun.of("rings", pid, "--once").requireSuccess().lines())
                    .anyMatch(line -> line.matches("context +queue +state +fill +of .*"))
                    .anyMatch(line -> line.matches("none-1 +qp 0 send +INIT +0 +127 +\\[\\.{12}] +0 +0 +- .*"))
                    .anyMatch(line -> line.matches(
                            "none-1 +qp 0 receive +INIT +2 +127 +\\[#\\.{11}] +2 +0 +wr_id 77 +0\\.0 s .*"))
                    .anyMatch(line -> line.matches("none-1 +cq 0 +0 +127 .* 0 +-"));
            List<String> json = ToolRun.of("rings", pid, "--count", "2", "--json").requireSuccess().lines();
            assertThat(json).hasSize(2);
            assertThat(json.getLast())
                    .contains("{\"context\":\"none-1\",\"queue\":\"qp 0 receive\",\"state\":\"INIT\",\"capacity\":127,"
                            + "\"fill\":2,\"producerIndex\":2,\"consumerIndex\":0,\"oldestWorkRequestId\":77,")
                    .contains("\"completions\":0,\"completionsPerSecond\":0.0");
        } finally {
            Probes.end(program);
        }
        ToolRun.of("rings", Long.toString(program.pid()), "--once").requireFailure(1, "no such process");
    }

    @Test
    void aProgramThatDoesNotOfferItIsNamedWithWhatToDo() throws Exception {
        Process program = Probes.start(WatchedProbe.class);
        try {
            ToolRun.of("rings", Long.toString(program.pid()), "--once")
                    .requireFailure(1, "management is disabled", "-Dverbs4j.management=true");
        } finally {
            Probes.end(program);
        }
    }

    @Test
    void theEndOfAProgramThatIsWatchedIsReported() throws Exception {
        Process program = Probes.start(WatchedProbe.class, "-Dverbs4j.management=true");
        var output = new StringWriter();
        Thread killer = Thread.ofPlatform().start(() -> {
            try {
                Eventually.until(() -> !output.toString().isEmpty(), () -> "nothing is shown");
            } finally {
                program.destroyForcibly();
            }
        });
        try {
            ToolRun.writing(output, "rings", Long.toString(program.pid()), "--count", "60")
                    .requireFailure(1, "has ended");
        } finally {
            killer.join();
        }
    }

    /// A signal is how attaching begins, and would end this one.
    @Test
    void whatIsNoJavaProgramIsLeftAlone() throws Exception {
        Process program = new ProcessBuilder("sleep", "60").start();
        try {
            ToolRun.of("rings", Long.toString(program.pid())).requireFailure(1, "is not a Java program, but sleep 60");
            assertThat(program.isAlive()).isTrue();
        } finally {
            program.destroy();
        }
    }
}
