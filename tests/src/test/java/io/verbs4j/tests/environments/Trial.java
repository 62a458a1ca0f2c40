// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.environments;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.environments.ToolCommands.ToolCommand;
import io.verbs4j.tests.support.ExternalProcess;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The commands of one process, and the faults that [Judge] finds in them.
final class Trial {
    private static final Duration LIMIT = Duration.ofMinutes(12);

    private final List<Finished> finished;
    private final StringBuilder report = new StringBuilder();
    private int wrong;

    private Trial(List<Finished> finished) {
        this.finished = finished;
    }

    /// Runs a program that prints a [Finished] for each command.
    ///
    /// @param line its command line
    /// @param cleanUp shell commands that remove what the program may leave
    static Trial of(List<String> line, String cleanUp) {
        shell("ip link add dummy9 type dummy; ip link set dummy9 up; ip addr add 10.9.89.1/24 dev dummy9;"
                + " rdma link add rxe9 type rxe netdev dummy9");
        try {
            var result = ExternalProcess.of(line).run(LIMIT);
            List<Finished> finished = result.output().lines().map(Finished::parse).flatMap(Optional::stream).toList();
            assertThat(finished).as(result::toString).isNotEmpty();
            return new Trial(finished);
        } finally {
            shell(cleanUp);
        }
    }

    private static void shell(String line) {
        ExternalProcess.of("sh", "-c", line).run(LIMIT);
    }

    /// Judges one command.
    ///
    /// @param line the line of its [Finished]
    /// @param facts true facts of its environment
    void judge(ToolCommand command, String line, Outcome outcome, Set<Fact> facts) {
        Optional<Finished> found = finished.stream().filter(each -> each.command().equals(line)).findFirst();
        List<String> faults = found
                .map(each -> Judge.faults(command, each, outcome, facts))
                .orElse(List.of("it did not end"));
        wrong += faults.isEmpty() ? 0 : 1;
        report.append(faults.isEmpty() ? "ok " : "FAULT " + faults + " ")
                .append(found.map(Finished::toString).orElse(line + "\n"));
    }

    /// Returns a line per command, with its faults and its output.
    String report() {
        return report.toString();
    }

    void requireNoFault() {
        assertThat(wrong).as(this::report).isZero();
    }
}
