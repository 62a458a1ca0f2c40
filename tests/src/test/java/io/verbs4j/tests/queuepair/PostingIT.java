// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.queuepair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.verbs4j.CompletionRecord;
import io.verbs4j.LocalMemory;
import io.verbs4j.RemoteMemory;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.tests.support.AnyDevice;
import io.verbs4j.tests.support.AnyDevice.NotOverMlx5;
import io.verbs4j.tests.support.AnyDevice.NotOverSiw;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.End;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tests.support.Scenario;
import io.verbs4j.tests.support.TestBytes;
import io.verbs4j.tests.trace.Traced;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.CompletionOpcode;
import io.verbs4j.types.ScatterGatherList;
import io.verbs4j.types.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Posting by batches and by lists: when work requests are posted, full queues, and refusals by the library.
@AnyDevice
@DeviceTest
@Needs.EachKernel
class PostingIT {
    /// A ring of 16 slots, of which one stays empty.
    private static final int CAPACITY = 15;

    private final ConnectedPair pair = ConnectedPair.onOneDevice()
            .both(builder -> builder.maxSends(CAPACITY)
                    .maxReceives(CAPACITY)
                    .maxSendScatterGather(2)
                    .maxReceiveScatterGather(2)
                    .maxInlineData(32)
                    .minRnrTimer(1))
            .connect();
    private final End left = pair.left();
    private final End right = pair.right();
    private final RemoteMemory remote = right.memory().remote();

    @AfterEach
    void close() {
        pair.close();
    }

    @Test
    @Covers({"ibv_wr_start", "ibv_wr_complete"})
    void handsAWholeBatchOverAtOnce() {
        try (var batch = left.queuePair().beginSend()) {
            for (int id = 0; id < 10; id++) {
                batch.signaled().workRequestId(id).write().local(left.memory(), 0, 8).remote(remote).post();
            }
            left.completions().assertNone();
            assertThat(batch.submit()).isEqualTo(10);
        }
        assertThat(left.completions().nextSuccesses(10))
                .extracting(CompletionRecord::workRequestId)
                .isEqualTo(LongStream.range(0, 10).boxed().toList());
    }

    @Test
    @Covers({"ibv_wr_start", "ibv_wr_abort"})
    void postsNothingOfABatchThatIsAbandoned() {
        try (var batch = left.queuePair().beginSend()) {
            batch.signaled().workRequestId(1).send().local(left.memory(), 0, 8).post();
        }
        try (var batch = right.queuePair().beginReceive()) {
            batch.workRequestId(1).receive(right.memory(), 0, 8);
        }
        right.receive(2, 0, 8);
        left.send(2, 0, 8);

        assertThat(left.completions().nextSuccess().workRequestId()).isEqualTo(2);
        assertThat(right.completions().nextSuccess().workRequestId()).isEqualTo(2);
        left.completions().assertNone();
        right.completions().assertNone();
    }

    @Test
    void takesAnEmptyBatch() {
        try (var batch = left.queuePair().beginSend()) {
            assertThat(batch.submit()).isZero();
        }
        try (var batch = right.queuePair().beginReceive()) {
            assertThat(batch.submit()).isZero();
        }
    }

    @Test
    void endsABatchWithItsSubmission() {
        var batch = left.queuePair().beginSend();
        batch.submit();
        assertThatThrownBy(batch::submit)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("not open in this thread");
        assertThatThrownBy(() -> batch.send()
                .local(left.memory(), 0, 8)
                .post()).isInstanceOf(IllegalStateException.class);
        assertThatCode(batch::close).doesNotThrowAnyException();
    }

    @Test
    void hasOneBatchOfEachKindAtATime() {
        try (
                var sends = left.queuePair().beginSend();
                var receives = left.queuePair().beginReceive()) {
            assertThatThrownBy(left.queuePair()::beginSend)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("a batch of sends", left.queuePair().toString(), "is open");
            assertThatThrownBy(left.queuePair()::beginReceive)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("a batch of receives", left.queuePair().toString(), "is open");
            assertThat(sends.submit() + receives.submit()).isZero();
        }
    }

    @Test
    void keepsABatchToItsThread() {
        try (
                var sends = left.queuePair().beginSend();
                var receives = left.queuePair().beginReceive()) {
            assertThat(InThread.PLATFORM.start(() -> sends.send().local(left.memory(), 0, 8).post()).failure())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("not open in this thread");
            assertThat(InThread.PLATFORM.start(receives::submit).failure())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("not open in this thread");
        }
    }

    @Test
    void isNotClosedDuringABatchOfTheSameThread() {
        try (var batch = left.queuePair().beginSend()) {
            assertThatThrownBy(left.queuePair()::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is open");
            batch.signaled().write().local(left.memory(), 0, 8).remote(remote).post();
            batch.submit();
        }
        left.completions().nextSuccess();
    }

    @Test
    @Covers({"ibv_post_send", "ibv_wr_complete"})
    @NotOverSiw("rings of another capacity, which the provider kit fills")
    @NotOverMlx5("a send queue of another capacity, which the provider kit fills")
    void saysThatTheSendQueueIsFullAtItsCapacity() {
        assertThat(left.queuePair().capabilities().maxSendWorkRequests()).isEqualTo(CAPACITY);
        for (int round = 0; round < 3; round++) {
            try (var batch = left.queuePair().beginSend()) {
                for (int i = 0; i < CAPACITY; i++) {
                    assertThat(batch.signaled().write().local(left.memory(), 0, 8).remote(remote).post()).isTrue();
                }
                assertThat(batch.write().local(left.memory(), 0, 8).remote(remote).post()).as("room").isFalse();
                assertThat(batch.send().inline(MemorySegment.ofArray(new byte[1])).post()).as("room").isFalse();
                assertThat(batch.submit()).isEqualTo(CAPACITY);
            }
            left.completions().nextSuccesses(CAPACITY);
        }
    }

    @Test
    @NotOverSiw("rings of another capacity, which the provider kit fills")
    @NotOverMlx5("a send queue of another capacity, which the provider kit fills")
    void hasRoomAgainWhenThePeerTakesWhatWaits() {
        // Nothing to receive into: the first send is repeated until there is, and the queue fills up behind it.
        for (int i = 0; i < CAPACITY; i++) {
            left.send(i, 0, 8);
        }
        try (var batch = left.queuePair().beginSend()) {
            assertThat(batch.send().local(left.memory(), 0, 8).post()).as("room").isFalse();
        }
        for (int i = 0; i < CAPACITY; i++) {
            right.receive(i, 0, 8);
        }
        left.completions().nextSuccesses(CAPACITY);
        right.receive(99, 0, 8);
        left.send(99, 0, 8);
        left.completions().nextSuccess();
    }

    @Test
    @Scenario("test_qpex.QpExTestCase.test_full_rq_bad_flow")
    @Covers("ibv_post_recv")
    @NotOverSiw("rings of another capacity, which the provider kit fills")
    @NotOverMlx5("a send queue of another capacity, which the provider kit fills")
    void saysThatTheReceiveQueueIsFullAtItsCapacity() {
        for (int round = 0; round < 3; round++) {
            try (var batch = right.queuePair().beginReceive()) {
                for (int i = 0; i < CAPACITY; i++) {
                    assertThat(batch.receive(right.memory(), 0, 8)).isTrue();
                }
                assertThat(batch.receive(right.memory(), 0, 8)).as("room").isFalse();
                assertThat(batch.submit()).isEqualTo(CAPACITY);
            }
            for (int i = 0; i < CAPACITY; i++) {
                left.send(i, 0, 8);
            }
            left.completions().nextSuccesses(CAPACITY);
            right.completions().nextSuccesses(CAPACITY);
        }
    }

    @Test
    void completesVisiblyOnlyIfAsked() {
        right.receiveNothing(4);
        left.post(
                batch -> batch.workRequestId(1).send().local(left.memory(), 0, 0).post(),
                batch -> batch.workRequestId(2).signaled().send().local(left.memory(), 0, 0).post(),
                batch -> batch.workRequestId(3).send().local(left.memory(), 0, 0).post(),
                batch -> batch.workRequestId(4).signaled().send().local(left.memory(), 0, 0).post());
        assertThat(left.completions().nextSuccesses(2))
                .extracting(CompletionRecord::workRequestId)
                .containsExactly(2L, 4L);
        right.completions().nextSuccesses(4);
        left.completions().assertNone();
    }

    @Test
    void completesEverythingVisiblyIfMadeSo() {
        try (var all = ConnectedPair.onOneDevice().left(builder -> builder.signalAll()).connect()) {
            var target = all.right().memory().remote();
            all.left()
                    .post(
                            batch -> batch.workRequestId(1)
                                    .write()
                                    .local(all.left().memory(), 0, 8)
                                    .remote(target)
                                    .post(),
                            batch -> batch.workRequestId(2)
                                    .write()
                                    .local(all.left().memory(), 0, 8)
                                    .remote(target)
                                    .post());
            assertThat(all.left().completions().nextSuccesses(2))
                    .extracting(CompletionRecord::workRequestId)
                    .containsExactly(1L, 2L);
        }
    }

    @Test
    @NotOverSiw("reads rxe's ring")
    @NotOverMlx5("reads rxe's ring")
    void appliesModifiersToTheNextWorkRequestOnly() {
        try (
                var trace = new Traced(true);
                var traced = ConnectedPair.onOneDevice().connect()) {
            End end = traced.left();
            var target = traced.right().memory().remote();
            end.post(
                    batch -> batch.signaled()
                            .fence()
                            .solicited()
                            .workRequestId(5)
                            .write()
                            .local(end.memory(), 0, 8)
                            .remote(target)
                            .post(),
                    batch -> batch.write().local(end.memory(), 0, 8).remote(target).post(),
                    batch -> batch.fence().write().local(end.memory(), 0, 8).remote(target).post(),
                    batch -> batch.solicited().write().local(end.memory(), 0, 8).remote(target).post(),
                    batch -> batch.signaled().write().local(end.memory(), 0, 8).remote(target).post());
            assertThat(end.completions().nextSuccesses(2))
                    .extracting(CompletionRecord::workRequestId)
                    .containsExactly(5L, 0L);
            assertThat(trace.values("wr.send_flags"))
                    .as("flags of the work requests: 1 fence, 2 signaled, 4 solicited")
                    .containsExactly(7L, 0L, 1L, 4L, 2L);
        }
    }

    @Test
    @NotOverSiw("80 bytes inline, whatever was asked for")
    @NotOverMlx5("more room for inline data than was asked for")
    void keepsTheRestOfABatchIfOneWorkRequestIsRefused() {
        left.post(
                batch -> batch.signaled().workRequestId(1).write().local(left.memory(), 0, 8).remote(remote).post(),
                batch -> {
                    assertThatThrownBy(() -> batch.signaled().send().inline(MemorySegment.ofArray(new byte[33])).post())
                            .isInstanceOf(IllegalArgumentException.class);
                    return batch.signaled().workRequestId(2).write().local(left.memory(), 0, 8).remote(remote).post();
                });
        assertThat(left.completions().nextSuccesses(2))
                .extracting(CompletionRecord::workRequestId)
                .containsExactly(1L, 2L);
    }

    @ParameterizedTest
    @ValueSource(ints = {33, 513, 100_000})
    @Covers("ibv_wr_set_inline_data")
    @NotOverSiw("80 bytes inline, whatever was asked for")
    @NotOverMlx5("more room for inline data than was asked for")
    void refusesInlineDataThatHasNoRoom(int length) {
        try (var batch = left.queuePair().beginSend()) {
            assertThatThrownBy(() -> batch.send().inline(MemorySegment.ofArray(new byte[length])).post())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("length=" + length, "inline");
        }
    }

    @Test
    @Scenario("test_qpex.QpExTestCase.test_rq_with_larger_sgl_bad_flow")
    @Covers("ibv_wr_set_sge_list")
    void refusesMorePiecesThanTheQueueTakes() {
        var three = new ScatterGatherList();
        for (int i = 0; i < 3; i++) {
            three.add(left.memory().address(), 1, left.memory().localKey());
        }
        try (
                var sends = left.queuePair().beginSend();
                var receives = left.queuePair().beginReceive()) {
            assertThatThrownBy(() -> sends.send().local(three).post())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("elements=3 exceeds maxScatterGather=2");
            assertThatThrownBy(() -> receives.receive(three))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("elements=3 exceeds maxScatterGather=2");
        }
    }

    @Test
    @NotOverSiw("another longest message")
    void refusesAMessageThatIsTooLong() {
        int key = left.memory().localKey();
        var list = new ScatterGatherList().add(0, (int) (Kernel.longestMessage() / 2), key);
        list.add(0, (int) (Kernel.longestMessage() / 2 + 1), key);
        try (var batch = left.queuePair().beginSend()) {
            assertThatThrownBy(() -> batch.write().local(list).remote(new RemoteMemory(0, Long.MAX_VALUE, 0)).post())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("ength=" + (Kernel.longestMessage() + 1) + " is not in 0..");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 11, 12, 13, 16, 32, -1, Integer.MAX_VALUE})
    @Covers("ibv_wr_opcode_str")
    void refusesOpcodesThatWouldLeadTheKernelAstray(int opcode) {
        try (var batch = left.queuePair().beginSend()) {
            assertThatThrownBy(() -> batch.operation(opcode)
                    .local(left.memory().address(), 8, left.memory().localKey())
                    .post())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("opcode=" + WorkRequestOpcode.name(opcode), "RC");
        }
    }

    @Test
    @NotOverSiw("no datagrams")
    void hasNoDestinationOfItsOwnForAConnection() {
        var path = AddressVector.roce(1, Rxe.IPV4_INDEX, Rxe.gid(1));
        try (
                var handle = left.domain().createAddressHandle(path);
                var batch = left.queuePair().beginSend()) {
            assertThatThrownBy(() -> batch.to(handle, 17, 0))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll(left.queuePair().toString(), "only datagrams");
        }
    }

    @Test
    void postsPlainNumbers() {
        TestBytes.fill(left.bytes(0, 100), 1);
        left.post(batch -> batch.signaled()
                .workRequestId(7)
                .write()
                .local(left.memory().address(), 100, left.memory().localKey())
                .remote(remote.address(), remote.remoteKey())
                .post());
        assertThat(left.completions().nextSuccess().workRequestId()).isEqualTo(7);
        left.settle(remote);
        TestBytes.assertHolds(right.bytes(0, 100), 1);
    }

    @Test
    @Covers("ibv_post_send")
    @NotOverSiw("iWARP has no immediate data")
    void postsListsOfWorkRequests() {
        TestBytes.fill(left.bytes(0, 200), 2);
        byte[] heap = TestBytes.of(3, 20);
        LocalMemory result = left.memory().slice(1000, 8);
        right.receive(1, 4096, 64);
        right.receive(2, 0, 0);
        var requests = List.of(
                new SendWorkRequest().write()
                        .local(left.memory().slice(0, 50), left.memory().slice(50, 50))
                        .remote(remote)
                        .workRequestId(1),
                new SendWorkRequest().write()
                        .inline(MemorySegment.ofArray(heap))
                        .remote(remote.slice(200, 20))
                        .workRequestId(2),
                new SendWorkRequest().send()
                        .immediate(77)
                        .local(left.memory().slice(0, 64))
                        .workRequestId(3)
                        .signaled(),
                new SendWorkRequest().write()
                        .immediate(78)
                        .local(left.memory().slice(0, 10))
                        .remote(remote.slice(300, 10))
                        .workRequestId(4)
                        .solicited(),
                new SendWorkRequest().fetchAndAdd(3)
                        .local(result.slice(0, Long.BYTES))
                        .remote(remote.slice(512, 8))
                        .workRequestId(5),
                new SendWorkRequest().read()
                        .local(left.memory().slice(2000, 100))
                        .remote(remote.slice(0, 100))
                        .workRequestId(6)
                        .fence()
                        .signaled());

        assertThat(left.queuePair().post(requests)).isEqualTo(6);

        assertThat(left.completions().nextSuccesses(2))
                .extracting(CompletionRecord::workRequestId, CompletionRecord::opcode)
                .containsExactly(
                        tuple(3L, CompletionOpcode.SEND),
                        tuple(6L, CompletionOpcode.RDMA_READ));
        assertThat(right.completions().nextSuccesses(2))
                .extracting(CompletionRecord::immediateDataOrKey)
                .containsExactly(77, 78);
        TestBytes.assertHolds(right.bytes(0, 100), 2);
        TestBytes.assertHolds(right.bytes(200, 20), 3);
        TestBytes.assertHolds(left.bytes(2000, 100), 2);
        assertThat(right.bytes(512, 8).get(ValueLayout.JAVA_LONG, 0)).isEqualTo(3);
    }

    @Test
    @NotOverSiw("loses what finds the completion queue full, which four threads fill faster than one polls")
    void isSafeForManyThreads() throws Exception {
        int threads = 4;
        int each = 200;
        var workers = new ArrayList<InThread.Started<Integer>>();
        for (int t = 0; t < threads; t++) {
            int thread = t;
            workers.add(InThread.PLATFORM.start(() -> postWrites(thread, each)));
        }
        var ids = new TreeSet<Long>();
        while (ids.size() < threads * each) {
            assertThat(ids.add(left.completions().nextSuccess().workRequestId())).as("seen once").isTrue();
        }
        for (var worker : workers) {
            assertThat(worker.result()).isEqualTo(each);
        }
        assertThat(ids).hasSize(threads * each).first().isEqualTo(0L);
        left.completions().assertNone();
    }

    private int postWrites(int thread, int count) {
        int posted = 0;
        while (posted < count) {
            try (var batch = left.queuePair().beginSend()) {
                long id = (long) thread * count + posted;
                if (batch.signaled().workRequestId(id).write().local(left.memory(), 0, 8).remote(remote).post()) {
                    posted++;
                    batch.submit();
                }
            }
            Thread.yield();
        }
        return posted;
    }
}
