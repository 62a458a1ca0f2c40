// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tests.support.ToolRun;
import org.junit.jupiter.api.Test;

/// The walk through a ping-pong goes to its end, and shows of each step what it promises.
@DeviceTest
@Needs.OneKernel
class StepIT {
    @Test
    void theNineStepsShowCallsRingsStatesAndPackets() {
        ToolRun run = ToolRun.of(
                "step", "rc-pingpong", "-d", Rxe.LEFT, "--peer-device", Rxe.RIGHT, "--no-wait").requireSuccess();
        assertThat(run.output())
                .contains("Step 1 of 9", "Step 9 of 9: Clean up", "\"ping, pong\"")
                .contains("ALLOC_PD = pd#", "completion ring of cq#", "QP_DESTROY(handle=qp#")
                .contains("RESET -->[INIT]--> RTR --> RTS", "RESET --> INIT --> RTR -->[RTS]")
                .containsPattern("completions on rxe0: 1 of \\d+, the oldest is wr_id 2\n")
                .containsPattern("receives of qp#\\d+ on rxe1: empty, P and C at slot 1 ");
        // Both messages and their acknowledgements, with the work requests of both ends.
        assertThat(run.lines())
                .filteredOn(line -> line.startsWith("   RC "))
                .hasSize(4)
                .allMatch(line -> line
                        .matches("   RC (Send Only|Acknowledge) +10\\.9\\.0\\.\\d → 10\\.9\\.0\\.\\d QPN 0x.*"));
        assertThat(run.output())
                .containsPattern("wr_id 2 of qp#\\d+ on rxe0, into wr_id 1 of qp#\\d+ on rxe1\n")
                .containsPattern("wr_id 2 of qp#\\d+ on rxe1, into wr_id 1 of qp#\\d+ on rxe0\n")
                .containsPattern("answers wr_id 2 of qp#\\d+ on rxe0\n")
                .containsPattern("answers wr_id 2 of qp#\\d+ on rxe1\n");
    }

    @Test
    void itSaysWhyThereAreNoPackets() {
        ToolRun run = ToolRun.of("step", "rc-pingpong", "-d", Rxe.LEFT, "--peer-device", Rxe.LEFT, "--no-wait")
                .requireSuccess();
        assertThat(run.output()).contains("no packets leave it").doesNotContain("RC Send Only");
    }

    @Test
    @RealKernel("packets of the connection manager")
    @Needs.LongRun("the steps of a connection, with its packets")
    void theEightStepsOfAConnectionShowEventsStatesAndMessages() {
        ToolRun run = ToolRun.of(
                "step", "connection", "-d", Rxe.LEFT, "--peer-device", Rxe.RIGHT, "--no-wait").requireSuccess();
        assertThat(run.output())
                .contains("Step 1 of 8: Listen", "Step 8 of 8: Clean up", "listening on 10.9.0.2 port ")
                .containsSubsequence(
                        "the client receives AddressResolved", "the client receives RouteResolved",
                        "the server receives ConnectRequest", "a new identifier, and \"it is me\"",
                        "the client receives ConnectResponse", "the server receives Established", "\"connected\"",
                        "the server receives Disconnected", "the client receives Disconnected")
                .contains("RESET -->[INIT]--> RTR --> RTS", "RESET --> INIT --> RTR -->[RTS]");
        assertThat(run.lines()
                .stream()
                .map(line -> line.strip().split(" {2,}")[0])
                .filter(word -> word.startsWith("CM "))
                .distinct())
                .containsExactly("CM REQ", "CM REP", "CM RTU", "CM DREQ", "CM DREP");
    }
}
