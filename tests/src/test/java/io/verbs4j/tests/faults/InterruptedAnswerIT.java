// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.End;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.types.Access;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.api.condition.EnabledIf;

/// A queue pair that is reset while it answers a read.
@DeviceTest
@Needs.EachKernel
class InterruptedAnswerIT {
    private static final int PSN = 1000;
    /// Thousands of packets: most resets find the peer in the midst of them.
    private static final int LENGTH = 8 << 20;
    private static final int ATTEMPTS = 60;
    /// Of both regions: nobody may write to them.
    private static final Access[] RIGHTS = {Access.LOCAL_WRITE, Access.REMOTE_READ};
    /// Of the queue pairs.
    private static final Access[] RIGHTS_OF_THE_PEER = {
            Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE
    };

    /// rxe of Linux 6.1 stores the progress of an answer in the queue pair (`resp.res`), and neither a reset nor a move
    /// to RTR clears it (rxe_qp.c). The first request of the next connection therefore continues the old answer,
    /// whatever its operation (`get_req`, rxe_resp.c). A write to memory that does not permit it succeeds, and nothing
    /// is written.
    @Test
    @RealKernel("simulated devices answer a read before the call returns that posts it")
    @EnabledIf(value = "isKept", disabledReason = "this kernel forgets the answer")
    void goesOnInTheNextConnectionOnLinux61() {
        CompletionStatus status = CompletionStatus.REMOTE_ACCESS_ERROR;
        for (int i = 0; i < ATTEMPTS && status.equals(CompletionStatus.REMOTE_ACCESS_ERROR); i++) {
            status = forbiddenWriteAfterAnInterruptedAnswer();
        }
        assertThat(status).isEqualTo(CompletionStatus.SUCCESS);
    }

    @Test
    @Covers("ibv_modify_qp")
    @DisabledIf(value = "isKept", disabledReason = "this kernel continues the answer")
    void endsWithTheConnection() {
        for (int i = 0; i < 10; i++) {
            assertThat(forbiddenWriteAfterAnInterruptedAnswer()).isEqualTo(CompletionStatus.REMOTE_ACCESS_ERROR);
        }
    }

    static boolean isKept() {
        return Kernel.goesOnWithAnswersAfterReset();
    }

    private static CompletionStatus forbiddenWriteAfterAnInterruptedAnswer() {
        try (
                var pair = ConnectedPair.onTheWire()
                        .memory(LENGTH)
                        .access(RIGHTS)
                        .both(builder -> builder.packetSequenceNumber(PSN))
                        .connect()) {
            End left = pair.left();
            End right = pair.right();
            right.memory().segment().fill((byte) 7);
            QueuePairAttributes ofLeft = left.queuePair().query();
            QueuePairAttributes ofRight = right.queuePair().query();
            left.post(batch -> batch.read().local(left.memory(), 0, LENGTH).remote(right.memory().remote()).post());
            Eventually.until(() -> left.memory().segment().get(ValueLayout.JAVA_BYTE, 0) == 7, () -> "no answer");
            right.modify(QueuePairState.RESET);
            left.modify(QueuePairState.RESET);
            right.connectAgain(ofRight, PSN, RIGHTS_OF_THE_PEER);
            left.connectAgain(ofLeft, PSN, RIGHTS_OF_THE_PEER);

            left.memory().segment().fill((byte) 1);
            left.post(batch -> batch.signaled()
                    .write()
                    .local(left.memory(), 0, 8)
                    .remote(right.memory().remote())
                    .post());
            CompletionStatus status = left.completions().next().status();
            assertThat(right.memory().segment().get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 7);
            return status;
        }
    }
}
