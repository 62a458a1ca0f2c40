// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.command.DriverAbi;
import io.verbs4j.abi.uapi.IbUverbsCompEventDesc;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.spi.RingEvent;
import io.verbs4j.spi.RingSlot;
import io.verbs4j.types.CompletionOpcode;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// Finds the work request of a failed completion, even if work requests have the same identifier.
class RingTraceTest {
    private static final int QUEUE_PAIR = 17;
    private static final int SHARED = 0;
    private static final long ID = 5;

    private final List<String> explanations = new ArrayList<>();
    private final RingTrace trace = new RingTrace(new Tracer(
            new Tracer.Trace(
                    entry -> explanations.add(entry.explanation()),
                    true,
                    failure -> explanations.add(failure.toString())),
            "rxe0",
            DriverAbi.NONE));

    private static RingSlot slot() {
        var bytes = new byte[IbUverbsCompEventDesc.STRUCT.size()];
        return new RingSlot(0, 0x1000, MemorySegment.ofArray(bytes), IbUverbsCompEventDesc.STRUCT, Map.of(),
                new RingSlot.Tail.None(), "");
    }

    private void send(boolean signaled, long... lengths) {
        post(QUEUE_PAIR, false, signaled, ID, lengths);
    }

    private void post(int queuePair, boolean receive, boolean signaled, long id, long... lengths) {
        var requests = LongStream.of(lengths)
                .mapToObj(length -> new RingEvent.PostedRequest(id, receive ? -1 : WorkRequestOpcode.SEND, length,
                        List.of(), 0, receive, signaled, slot()))
                .toList();
        trace.accept(new RingEvent.Posted(
                receive ? UverbsObject.SRQ : UverbsObject.QP, 3, queuePair, receive, 0, lengths.length, 0, requests));
    }

    private void complete(long id, CompletionStatus status, CompletionOpcode opcode) {
        trace.accept(new RingEvent.Completed(4, 0, 1, 1, List.of(
                new RingEvent.CompletedRequest(id, QUEUE_PAIR, status.value(), opcode.value(), 0, slot()))));
    }

    private void succeed() {
        complete(ID, CompletionStatus.SUCCESS, CompletionOpcode.SEND);
        assertThat(explanations.removeLast()).isEmpty();
    }

    private String fail(long id) {
        complete(id, CompletionStatus.REMOTE_ACCESS_ERROR, CompletionOpcode.SEND);
        return explanations.getLast();
    }

    @Test
    void theOldestFails() {
        send(true, 1, 2);
        assertThat(fail(ID)).contains("the oldest of 2 requests with this wr_id: wr_id 5 SEND 1 bytes: ");
        assertThat(fail(ID)).contains("REMOTE_ACCESS_ERROR: wr_id 5 SEND 2 bytes: ");
        assertThat(fail(ID))
                .endsWith("REMOTE_ACCESS_ERROR: " + CompletionStatus.REMOTE_ACCESS_ERROR.likelyCause());
    }

    @Test
    void aSuccessEndsTheUnsignaledOnesBeforeIt() {
        send(false, 1, 2);
        send(true, 3, 4);
        succeed();
        assertThat(fail(ID)).contains("REMOTE_ACCESS_ERROR: wr_id 5 SEND 4 bytes: ");
    }

    @Test
    void aQueuePairThatSignalsAllCompletesOneByOne() {
        send(false, 1, 2);
        succeed();
        assertThat(fail(ID)).contains("REMOTE_ACCESS_ERROR: wr_id 5 SEND 2 bytes: ");
    }

    /// Queue pairs with a common receive queue complete their receives in any order.
    @Test
    void sharedReceivesCompleteInAnyOrder() {
        post(SHARED, true, true, 1, 10);
        post(SHARED, true, true, 2, 20);
        complete(2, CompletionStatus.SUCCESS, CompletionOpcode.RECEIVE);
        assertThat(fail(1)).contains("wr_id 1 receive 10 bytes: ");
        assertThat(fail(2)).doesNotContain("receive 20 bytes");
    }
}
