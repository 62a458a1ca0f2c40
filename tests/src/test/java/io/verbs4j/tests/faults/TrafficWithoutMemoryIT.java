// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.CompletionRecord;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.End;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.KernelFaults;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.TestBytes;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.QueuePairState;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The kernel finds no memory for a packet, on its way out or in.
@DeviceTest
@RealKernel("its allocations")
@Needs.EachKernel
class TrafficWithoutMemoryIT {
    private static final int LENGTH = 5000;
    private static final int ROUNDS = 60;

    @BeforeEach
    void needsAKernelThatFailsOnDemand() {
        assumeTrue(KernelFaults.areThere(), "the kernel is not built to fail on demand");
    }

    @Test
    void endsTheQueuePairThatCannotSendOnRxe() throws Exception {
        try (var pair = ConnectedPair.onTheWire().connect()) {
            pair.right().receive(1, 0, 8);
            try (var _ = KernelFaults.inTraffic(100)) {
                pair.left().send(1, 0, 8);
                assertThat(pair.left().completions().next().status())
                        .isEqualTo(
                                Kernel.hidesLocalErrorsBehindFlushes()
                                        ? CompletionStatus.WORK_REQUEST_FLUSHED
                                        : CompletionStatus.LOCAL_QP_OPERATION_ERROR);
            }
            Eventually.until(
                    () -> pair.left().queuePair().query().state().equals(QueuePairState.ERR), pair.left()::toString);
        }
    }

    /// Work that completes with success has been done, whole; all other fails.
    @Test
    void losesNothingThatCompletesWithSuccess() throws Exception {
        int failures = 0;
        for (int round = 0; round < ROUNDS; round++) {
            try (var pair = ConnectedPair.onTheWire().both(builder -> builder.timeout(10)).connect()) {
                pair.right().receive(1, 0, LENGTH);
                TestBytes.fill(pair.left().bytes(0, LENGTH), round);
                TestBytes.fill(pair.right().bytes(LENGTH, LENGTH), round + 1);
                pair.right().bytes(2 * LENGTH, 8).fill((byte) 0);
                List<CompletionRecord> completions;
                try (var _ = KernelFaults.inTraffic(10)) {
                    post(pair);
                    completions = completions(pair.left());
                }
                failures += check(pair, completions, round);
            }
        }
        assertThat(failures).isBetween(1, 4 * ROUNDS - 1);
    }

    private static void post(ConnectedPair pair) {
        End left = pair.left();
        var peer = pair.right().memory().remote();
        left.post(
                batch -> batch.signaled().workRequestId(0).send().local(left.memory(), 0, LENGTH).post(),
                batch -> batch.signaled()
                        .workRequestId(1)
                        .read()
                        .local(left.memory(), LENGTH, LENGTH)
                        .remote(peer, LENGTH)
                        .post(),
                batch -> batch.signaled()
                        .workRequestId(2)
                        .fetchAndAdd(1)
                        .local(left.memory(), 2 * LENGTH, Long.BYTES)
                        .remote(peer, 2 * LENGTH)
                        .post(),
                batch -> batch.signaled()
                        .workRequestId(3)
                        .write()
                        .local(left.memory(), 0, LENGTH)
                        .remote(peer, 3 * LENGTH)
                        .post());
    }

    private static List<CompletionRecord> completions(End left) {
        var completions = new ArrayList<CompletionRecord>();
        for (int i = 0; i < 4; i++) {
            completions.add(left.completions().next());
        }
        return completions;
    }

    /// @return how many have failed
    private static int check(ConnectedPair pair, List<CompletionRecord> completions, int round) {
        int failures = 0;
        for (CompletionRecord completion : completions) {
            if (!completion.status().equals(CompletionStatus.SUCCESS)) {
                failures++;
                continue;
            }
            switch ((int) completion.workRequestId()) {
                case 0 -> TestBytes.assertHolds(pair.right().bytes(0, LENGTH), round);
                case 1 -> TestBytes.assertHolds(pair.left().bytes(LENGTH, LENGTH), round + 1);
                case 2 -> assertThat(pair.right().bytes(2 * LENGTH, 8).get(ValueLayout.JAVA_LONG, 0))
                        .isEqualTo(1);
                default -> TestBytes.assertHolds(pair.right().bytes(3 * LENGTH, LENGTH), round);
            }
        }
        return failures;
    }
}
