// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.completion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.CompletionQueue;
import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.RemoteMemory;
import io.verbs4j.tests.support.AnyDevice;
import io.verbs4j.tests.support.AnyDevice.NotOverSiw;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.End;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Scenario;
import io.verbs4j.tests.support.Wire;
import io.verbs4j.types.CompletionOpcode;
import io.verbs4j.types.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Creating, polling and resizing completion queues.
@AnyDevice
@DeviceTest
@Covers({"ibv_create_cq", "ibv_destroy_cq"})
@Needs.EachKernel
class CompletionQueueIT {
    /// Queues that nothing completes on.
    @Nested
    class Empty {
        private final Context context = Wire.open();

        @AfterEach
        void close() {
            context.close();
        }

        @ParameterizedTest
        @Scenario("test_cq.CQAPITest.test_create_cq")
        @ValueSource(ints = {1, 2, 100, 32767})
        void holdsAtLeastWhatWasAskedFor(int entries) {
            try (CompletionQueue queue = context.createCompletionQueue(entries)) {
                assertThat(queue.capacity()).isGreaterThanOrEqualTo(entries);
            }
        }

        @NotOverSiw("its queues are longer")
        @ParameterizedTest
        @Scenario({
                "test_cq.CQAPITest.test_create_cq_bad_flow",
                "test_cqex.CQEXAPITest.test_create_cq_ex_bad_flow"
        })
        @ValueSource(ints = {0, -1, 32768, Integer.MAX_VALUE})
        void isRefusedOutsideTheDevicesLimits(int entries) {
            assertThatThrownBy(() -> context.createCompletionQueue(entries))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("entries=" + entries + " is not in 1..");
        }

        @Test
        void canBePolledForATimeWithoutAChannel() throws Exception {
            try (var pair = ConnectedPair.onTheWire().connect()) {
                var queue = pair.left().queue();
                assertThat(queue.poll(1, completion -> {}, Duration.ZERO)).isZero();
                long start = System.nanoTime();
                assertThat(queue.poll(1, completion -> {}, Duration.ofMillis(20))).isZero();
                assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(20_000_000);

                var waiting = InThread.PLATFORM.start(() -> queue.poll(1, completion -> {}, Eventually.LIMIT));
                Thread.sleep(20);
                pair.right().receive(1, 0, 8);
                pair.left().send(2, 0, 8);
                assertThat(waiting.result()).isEqualTo(1);

                var interrupted = InThread.PLATFORM.start(() -> queue.poll(1, completion -> {}, Eventually.LIMIT));
                interrupted.interrupt();
                assertThat(interrupted.failure()).isInstanceOf(InterruptedException.class);

                assertThatThrownBy(() -> queue.poll(1, completion -> {}, Duration.ofMillis(-1)))
                        .isInstanceOf(IllegalArgumentException.class);
            }
        }

        @Test
        void isRefusedOnAVectorThatDoesNotExist() {
            int vectors = context.completionVectors();
            for (int vector : List.of(-1, vectors)) {
                var options = CompletionQueueOptions.entries(16).withCompletionVector(vector);
                assertThatThrownBy(() -> context.createCompletionQueue(options))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("completionVector=" + vector + " is not in 0.." + (vectors - 1));
            }
            var last = CompletionQueueOptions.entries(16).withCompletionVector(vectors - 1);
            assertThatCode(() -> context.createCompletionQueue(last).close()).doesNotThrowAnyException();
        }

        @Test
        @Covers({"ibv_poll_cq", "ibv_start_poll", "ibv_end_poll"})
        void polledGivesNothing() {
            try (CompletionQueue queue = context.createCompletionQueue(16)) {
                assertThat(queue.poll(16, completion -> {
                    throw new AssertionError(completion);
                }))
                        .isZero();
                try (var batch = queue.beginPoll()) {
                    assertThat(batch.next()).isFalse();
                }
            }
        }

        @ParameterizedTest
        @ValueSource(ints = {0, -5})
        void isNotPolledForLessThanOne(int max) {
            try (CompletionQueue queue = context.createCompletionQueue(16)) {
                assertThatThrownBy(() -> queue.poll(max, completion -> {}))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageStartingWith("max=" + max);
            }
        }

        @Test
        void isPolledByOneBatchAtATime() {
            try (
                    CompletionQueue queue = context.createCompletionQueue(16);
                    var batch = queue.beginPoll()) {
                assertThatThrownBy(queue::beginPoll)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContainingAll("a batch", queue.toString(), "is open", "close it first");
                assertThatThrownBy(() -> queue.poll(1, completion -> {})).isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(queue::close)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("is open");
                assertThat(batch.next()).isFalse();
            }
        }

        @Test
        void hasABatchForOneThreadOnly() {
            try (
                    CompletionQueue queue = context.createCompletionQueue(16);
                    var batch = queue.beginPoll()) {
                assertThat(CompletableFuture.supplyAsync(batch::next))
                        .failsWithin(Eventually.LIMIT)
                        .withThrowableThat()
                        .havingCause()
                        .isInstanceOf(IllegalStateException.class)
                        .withMessageContainingAll(queue.toString(), "not open in this thread");
            }
        }

        @Test
        void cannotWaitWithoutAChannel() {
            try (CompletionQueue queue = context.createCompletionQueue(16)) {
                assertThat(queue.channel()).isNull();
                assertThatThrownBy(() -> queue.await(1, completion -> {}, Eventually.LIMIT))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContainingAll("no completion channel", "withChannel");
                assertThatThrownBy(() -> queue.requestNotification(false)).isInstanceOf(IllegalStateException.class);
            }
        }

        @Test
        void refusesToCloseWhileAQueuePairUsesItAndNamesTheQueuePair() {
            var queue = context.createCompletionQueue(16);
            var domain = context.allocateProtectionDomain();
            var queuePair = domain.reliableConnection(queue).create();

            assertThatThrownBy(queue::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(queue + " is still used by " + queuePair);
            assertThat(queue.poll(1, completion -> {})).as("still usable").isZero();

            queuePair.close();
            assertThatCode(queue::close).doesNotThrowAnyException();
            assertThatCode(queue::close).doesNotThrowAnyException();
        }

        @NotOverSiw("a queue keeps its size")
        @Test
        @Covers("ibv_resize_cq")
        void growsAndShrinks() {
            try (CompletionQueue queue = context.createCompletionQueue(10)) {
                queue.resize(1000);
                assertThat(queue.capacity()).isGreaterThanOrEqualTo(1000);
                queue.resize(20);
                assertThat(queue.capacity()).isBetween(20, 999);
                assertThat(queue.poll(1, completion -> {})).isZero();
                assertThatThrownBy(() -> queue.resize(0)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> queue.resize(32768)).isInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    /// Queues with completions.
    @Nested
    class Filled {
        private final ConnectedPair pair =
                ConnectedPair.onOneDevice().withChannels().connect();
        private final CompletionQueue queue = pair.left().queue();

        @AfterEach
        void close() {
            pair.close();
        }

        @Test
        @Covers("ibv_poll_cq")
        void givesCompletionsInTheOrderOfTheirWorkRequests() {
            completeWrites(20);
            var ids = new ArrayList<Long>();

            assertThat(queue.poll(7, completion -> ids.add(completion.workRequestId()))).isEqualTo(7);
            assertThat(queue.poll(100, completion -> ids.add(completion.workRequestId()))).isEqualTo(13);

            assertThat(ids).isEqualTo(LongStream.range(0, 20).boxed().toList());
            pair.left().completions().assertNone();
        }

        @Test
        @Covers({
                "ibv_poll_cq", "ibv_wc_read_opcode", "ibv_wc_read_byte_len", "ibv_wc_read_qp_num",
                "ibv_wc_read_imm_data", "ibv_wc_read_wc_flags", "ibv_wc_read_vendor_err", "ibv_wc_read_slid",
                "ibv_wc_read_sl", "ibv_wc_read_dlid_path_bits"
        })
        void reportsWhatCompleted() {
            completeWrites(1);
            try (var batch = queue.beginPoll()) {
                assertThat(batch.next()).isTrue();
                var completion = batch.current();
                assertThat(completion.isSuccess()).isTrue();
                assertThat(completion.opcode()).isEqualTo(CompletionOpcode.RDMA_WRITE.value());
                assertThat(completion.isReceive()).isFalse();
                assertThat(completion.byteLength()).isEqualTo(Wire.bytesOfASend(8));
                assertThat(completion.queuePairNumber())
                        .isEqualTo(pair.left().queuePair().number());
                assertThat(completion.vendorError()).isZero();
                assertThat(completion.sourceLid()).isZero();
                assertThat(completion.serviceLevel()).isZero();
                assertThat(completion.pathBits()).isZero();
                assertThat(completion.hasImmediateData()).isFalse();
                assertThat(completion).hasToString("work request 0 on queue pair "
                        + pair.left().queuePair().number() + ": RDMA_WRITE, " + Wire.bytesOfASend(8) + " bytes");
                assertThat(batch.next()).isFalse();
            }
        }

        @Test
        @Covers({"ibv_start_poll", "ibv_next_poll", "ibv_end_poll"})
        void givesTakenSlotsBackAtTheEndOfABatch() {
            // Many times around the ring: it would overflow if slots did not come back.
            int rounds = 2 + queue.capacity() / 64;
            var next = new int[1];
            for (int round = 1; round <= rounds; round++) {
                int all = 64 * round;
                var writes = new End.Send[64];
                for (int i = 0; i < 64; i++) {
                    int id = all - 64 + i;
                    writes[i] = batch -> batch.signaled()
                            .workRequestId(id)
                            .write()
                            .local(memory(), 0, 8)
                            .remote(remote())
                            .post();
                }
                pair.left().post(writes);
                Eventually.until(
                        () -> {
                            try (var batch = queue.beginPoll()) {
                                while (batch.next()) {
                                    assertThat(batch.current().workRequestId()).isEqualTo(next[0]++);
                                }
                            }
                            return next[0] == all;
                        },
                        () -> next[0] + " of " + all + " completions; " + pair.left());
            }
        }

        @Test
        void countsACompletionAsTakenIfItsHandlerThrows() {
            completeWrites(3);
            var failure = new IllegalArgumentException("from the handler");

            assertThatThrownBy(() -> queue.poll(3, completion -> {
                throw failure;
            }))
                    .isSameAs(failure);

            assertThat(pair.left().completions().next(2))
                    .extracting(completion -> completion.workRequestId())
                    .containsExactly(1L, 2L);
        }

        @Test
        void keepsWhatAHandlerDidNotGetBecauseItThrew() {
            completeWrites(4);
            assertThatThrownBy(() -> queue.poll(4, completion -> {
                throw new IllegalArgumentException("from the handler");
            }))
                    .isInstanceOf(IllegalArgumentException.class);

            try (var batch = queue.beginPoll()) {
                assertThat(batch.next()).isTrue();
                assertThat(batch.current().workRequestId()).isEqualTo(1);
            }
            assertThat(pair.left().completions().next(2))
                    .extracting(completion -> completion.workRequestId())
                    .containsExactly(2L, 3L);
        }

        @Test
        void letsAHandlerPostWork() {
            completeWrites(1);
            queue.poll(1, completion -> write(100));
            assertThat(pair.left().completions().nextSuccess().workRequestId()).isEqualTo(100);
        }

        @NotOverSiw("a queue has a power of two of slots, so none has 3")
        @Test
        void hasItsSlotsBackBeforeAHandlerPosts() {
            // A queue as large as what is outstanding: one write at a time per slot, each posted by its predecessor's
            // handler.
            try (
                    var tight = ConnectedPair.onOneDevice()
                            .queues(options -> CompletionQueueOptions.entries(3))
                            .connect()) {
                var end = tight.left();
                var target = tight.right().memory().remote();
                End.Send write = batch -> batch.signaled().write().local(end.memory(), 0, 8).remote(target).post();
                assertThat(end.queue().capacity()).isEqualTo(3);
                end.post(write, write, write);
                var done = new int[1];
                Eventually.until(
                        () -> {
                            end.queue().poll(3, completion -> {
                                assertThat(completion.isSuccess()).isTrue();
                                done[0]++;
                                end.post(write);
                            });
                            return done[0] >= 1000;
                        },
                        () -> done[0] + " of 1000 completions; " + end);
            }
        }

        @NotOverSiw("a queue keeps its size")
        @Test
        @Covers("ibv_resize_cq")
        void keepsWhatWaitsWhenItIsResized() {
            completeWrites(20);

            queue.resize(2000);
            assertThat(pair.left().completions().nextSuccesses(10))
                    .extracting(completion -> completion.workRequestId())
                    .isEqualTo(LongStream.range(0, 10).boxed().toList());
            queue.resize(16);
            assertThat(pair.left().completions().nextSuccesses(10))
                    .extracting(completion -> completion.workRequestId())
                    .isEqualTo(LongStream.range(10, 20).boxed().toList());

            completeWrites(1);
            pair.left().completions().nextSuccess();
        }

        @NotOverSiw("a queue keeps its size")
        @Test
        @Scenario("test_cq.CQTest.test_resize_cq")
        @Covers("ibv_resize_cq")
        void refusesToShrinkBelowWhatWaits() {
            completeWrites(20);

            assertThatThrownBy(() -> queue.resize(8))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContainingAll("EINVAL", "fewer than the waiting completions");

            pair.left().completions().nextSuccesses(20);
        }

        @Test
        @Scenario("test_cqex.CQEXAPITest.test_create_cq_ex")
        void ofOneThreadWorksLikeAnyOther() {
            try (
                    var single = ConnectedPair.onOneDevice()
                            .queues(CompletionQueueOptions::withSingleThread)
                            .both(queuePair -> queuePair.singleThreaded())
                            .connect()) {
                single.right().receive(5, 0, 10);
                single.left().send(6, 0, 10);
                assertThat(single.left().completions().nextSuccess().workRequestId()).isEqualTo(6);
                assertThat(single.right().completions().nextSuccess().workRequestId()).isEqualTo(5);
            }
        }

        /// Posts writes with identifiers from 0, and returns when all their completions wait in the queue.
        private void completeWrites(int count) {
            for (int id = 0; id < count; id++) {
                queue.requestNotification(false);
                write(id);
                assertThat(take()).as("event of write " + id).isSameAs(queue);
            }
        }

        private @Nullable CompletionQueue take() {
            try {
                return pair.left().channel().take(Eventually.LIMIT);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        private MemoryRegion memory() {
            return pair.left().memory();
        }

        private RemoteMemory remote() {
            return pair.right().memory().remote();
        }

        private void write(long id) {
            pair.left()
                    .post(batch -> batch.signaled()
                            .workRequestId(id)
                            .write()
                            .local(memory(), 0, 8)
                            .remote(remote())
                            .post());
        }
    }
}
