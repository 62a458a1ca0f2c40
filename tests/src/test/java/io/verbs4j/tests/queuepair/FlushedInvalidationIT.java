// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.queuepair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.verbs4j.CompletionRecord;
import io.verbs4j.MemoryWindow;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.End;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.types.Access;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.api.condition.EnabledIf;

/// A local invalidation after an unanswered send. In the next connection the peer tests whether the window is still
/// bound.
@DeviceTest
@Needs.EachKernel
class FlushedInvalidationIT {
    private static final int PSN = 1000;

    /// The completer of Linux 6.1 runs the requester for work requests that wait for the send, and only then moves the
    /// queue pair to ERR (`do_complete`, rxe_comp.c).
    @Test
    @EnabledIf(value = "isDone", disabledReason = "this kernel moves to ERR first")
    void isDoneOnLinux61() {
        assertThat(readByTheWindowAfterwards()).isEqualTo(CompletionStatus.REMOTE_ACCESS_ERROR);
    }

    @Test
    @Covers("ibv_wr_local_inv")
    @DisabledIf(value = "isDone", disabledReason = "this kernel executes it nevertheless")
    void isNotDone() {
        assertThat(readByTheWindowAfterwards()).isEqualTo(CompletionStatus.SUCCESS);
    }

    static boolean isDone() {
        return Kernel.invalidatesBehindFailedSends();
    }

    private static CompletionStatus readByTheWindowAfterwards() {
        try (
                var pair = ConnectedPair.onTheWire()
                        .access(Access.LOCAL_WRITE, Access.REMOTE_READ, Access.MEMORY_WINDOW_BIND)
                        .connect()) {
            End left = pair.left();
            End right = pair.right();
            var window = right.domain().allocateMemoryWindow(MemoryWindow.Type.TYPE_2);
            right.post(batch -> batch.signaled()
                    .bind(window, Access.mask(Access.REMOTE_READ))
                    .local(right.memory(), 0, 64)
                    .post());
            right.completions().nextSuccess();
            QueuePairAttributes ofLeft = left.queuePair().query();
            QueuePairAttributes ofRight = right.queuePair().query();

            left.modify(QueuePairState.RESET);
            right.post(
                    batch -> batch.workRequestId(1).send().local(right.memory(), 0, 8).post(),
                    batch -> batch.workRequestId(2).invalidate(window.remoteKey()).post());
            assertThat(right.completions().next(2))
                    .extracting(CompletionRecord::workRequestId, CompletionRecord::status)
                    .containsExactly(
                            tuple(1L, CompletionStatus.RETRY_EXCEEDED),
                            tuple(2L, CompletionStatus.WORK_REQUEST_FLUSHED));

            right.modify(QueuePairState.RESET);
            right.connectAgain(ofRight, PSN, Access.REMOTE_READ);
            left.connectAgain(ofLeft, PSN, Access.REMOTE_READ);
            left.post(
                    batch -> batch.signaled()
                            .read()
                            .local(left.memory(), 0, 8)
                            .remote(window.remote(right.memory(), 0, 64))
                            .post());
            return left.completions().next().status();
        }
    }
}
