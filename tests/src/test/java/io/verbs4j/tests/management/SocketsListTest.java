// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.ToolRun;
import org.junit.jupiter.api.Test;

/// `verbs sockets list` attaches to a running program.
class SocketsListTest {
    @Test
    void theConnectionsOfAnotherProgramAreListedByTransport() throws Exception {
        Process program = Probes.start(SocketsProbe.class, "-Dverbs4j.management=true", "-Dverbs4j.simulate=2");
        try {
            String pid = Long.toString(program.pid());
            assertThat(ToolRun.of("sockets", "list", pid).requireSuccess().lines())
                    .anyMatch(line -> line.matches("RDMA +10\\.9\\.0\\.2:22100 +10\\.9\\.0\\.[12]:\\d+"))
                    .anyMatch(line -> line.matches("TCP +127\\.0\\.0\\.1:\\d+ +127\\.0\\.0\\.1:\\d+"))
                    .contains(
                            "since the start: 1 connects and 1 accepts over RDMA, 1 and 1 over TCP, 0 fallbacks to TCP",
                            "rules: RDMA where possible")
                    .hasSize(8);
            assertThat(ToolRun.of("sockets", "list", pid, "--json").requireSuccess().output())
                    .contains("\"rdmaAccepts\": 1", "\"transport\": \"RDMA\"");
        } finally {
            Probes.end(program);
        }
        ToolRun.of("sockets", "list", Long.toString(program.pid())).requireFailure(1, "no such process");
    }

    @Test
    void aProgramWithoutSocketsIsNamedWithTheRemedy() throws Exception {
        Process program = Probes.start(WatchedProbe.class, "-Dverbs4j.management=true");
        try {
            ToolRun.of("sockets", "list", Long.toString(program.pid()))
                    .requireFailure(1, "exposes no sockets", "-Dverbs4j.management=true");
        } finally {
            Probes.end(program);
        }
    }
}
