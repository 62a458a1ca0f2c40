// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.completion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.CompletionQueue;
import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.WorkCompletion;
import io.verbs4j.tests.support.Completions;
import io.verbs4j.tests.support.CoverageReport;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tests.support.Scenario;
import io.verbs4j.types.Access;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.CompletionOpcode;
import io.verbs4j.types.Feature;
import io.verbs4j.types.NotSupportedException;
import java.util.ArrayList;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Completions polled one by one, with each field of librxe's extended completion queue; and queues on each vector.
@DeviceTest
@Needs.EachKernel
class CompletionFieldsIT {
    private static final int QKEY = 0x2222;

    private final Context context = Rxe.open();
    private final ProtectionDomain domain = context.allocateProtectionDomain();
    private final MemoryRegion memory = domain.allocate(4096, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
    private final CompletionQueue queue = context.createCompletionQueue(64);

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    @Scenario("test_cqex.CqExTestCase.test_ud_traffic_cq_ex")
    @Covers({"ibv_create_cq_ex", "ibv_cq_ex_to_cq", "ibv_start_poll", "ibv_next_poll", "ibv_end_poll",
            "ibv_wc_read_opcode",
            "ibv_wc_read_vendor_err", "ibv_wc_read_byte_len", "ibv_wc_read_imm_data", "ibv_wc_read_qp_num",
            "ibv_wc_read_src_qp", "ibv_wc_read_wc_flags", "ibv_wc_read_slid", "ibv_wc_read_sl",
            "ibv_wc_read_dlid_path_bits"})
    void ofDatagramsSayWhereTheyCameFrom() {
        var sender = domain.datagram(queue).qkey(QKEY).prepare();
        var receiver = domain.datagram(queue).qkey(QKEY).prepare();
        var path = domain.createAddressHandle(AddressVector.roce(
                1, sender.gidSelection().entry().index(), receiver.endpoint().gid()));
        try (var receives = receiver.beginReceive()) {
            receives.workRequestId(1).receive(memory, 0, 200);
            receives.submit();
        }
        int to = receiver.start().number();
        QueuePair from = sender.start();
        try (var batch = from.beginSend()) {
            batch.signaled()
                    .workRequestId(2)
                    .to(path, to, QKEY)
                    .send()
                    .immediate(0xabcd)
                    .local(memory, 1000, 100)
                    .post();
            batch.submit();
        }

        takeTwo(completion -> {
            assertThat(completion.isSuccess()).isTrue();
            assertThat(completion.vendorError()).isZero();
            assertThat(completion.sourceLid()).isZero();
            assertThat(completion.serviceLevel()).isZero();
            assertThat(completion.pathBits()).isZero();
            if (completion.workRequestId() == 1) {
                assertThat(completion.opcode()).isEqualTo(CompletionOpcode.RECEIVE.value());
                assertThat(completion.byteLength()).isEqualTo(140);
                assertThat(completion.hasImmediateData()).isTrue();
                assertThat(completion.immediateData()).isEqualTo(0xabcd);
                assertThat(completion.queuePairNumber()).isEqualTo(to);
                assertThat(completion.sourceQueuePairNumber()).isEqualTo(from.number());
                assertThat(completion.hasGlobalRouteHeader()).isTrue();
                assertThat(completion.hasInvalidatedKey()).isFalse();
                assertThat(completion.pkeyIndex()).isZero();
            } else {
                assertThat(completion.workRequestId()).isEqualTo(2);
                assertThat(completion.opcode()).isEqualTo(CompletionOpcode.SEND.value());
                assertThat(completion.byteLength()).isEqualTo(100);
                assertThat(completion.queuePairNumber()).isEqualTo(from.number());
            }
        });
    }

    @Test
    @Scenario("test_cqex.CqExTestCase.test_rc_traffic_cq_ex")
    @Covers({"ibv_start_poll", "ibv_next_poll", "ibv_end_poll"})
    void areTakenBatchByBatchAsTheyCome() {
        QueuePair loop = loop(queue);
        var ids = new ArrayList<Long>();
        for (int round = 0; round < 5; round++) {
            write(loop, 10L * round, 10);
            int all = 10 * (round + 1);
            Eventually.until(
                    () -> {
                        try (var batch = queue.beginPoll()) {
                            while (batch.next()) {
                                ids.add(batch.current().workRequestId());
                            }
                            assertThat(batch.next()).as("the end stays the end").isFalse();
                        }
                        return ids.size() == all;
                    },
                    ids::toString);
        }
        assertThat(ids).isEqualTo(LongStream.range(0, 50).boxed().toList());
    }

    @Test
    @Covers({"ibv_wc_read_completion_ts", "ibv_wc_read_completion_wallclock_ns", "ibv_wc_read_tm_info"})
    void haveNeitherTimestampsNorTags() {
        for (var feature : new Feature[]{Feature.COMPLETION_TIMESTAMPS, Feature.TAG_MATCHING}) {
            assertThat(context.supports(feature)).isFalse();
            assertThatThrownBy(() -> context.require(feature))
                    .isInstanceOf(NotSupportedException.class)
                    .hasMessageContaining("rxe");
        }
        CoverageReport.absent("ibv_wc_read_completion_ts", "rxe has no completion timestamps");
        CoverageReport.absent("ibv_wc_read_completion_wallclock_ns", "rxe has no completion timestamps");
        CoverageReport.absent("ibv_wc_read_tm_info", "rxe has no tag matching");
    }

    @Test
    @Covers("ibv_poll_cq")
    void comeOnlyForWhatAskedForOne() {
        QueuePair loop = loop(queue);
        try (var batch = loop.beginSend()) {
            for (int id = 0; id < 20; id++) {
                if (id % 5 == 4) {
                    batch.signaled();
                }
                assertThat(batch.workRequestId(id).write().local(memory, 0, 8).remote(memory.remote(), 8).post())
                        .isTrue();
            }
            batch.submit();
        }
        var completions = new Completions(queue, loop::toString);
        assertThat(completions.nextSuccesses(4))
                .extracting(completion -> completion.workRequestId())
                .containsExactly(4L, 9L, 14L, 19L);
        completions.assertNone();
    }

    @Test
    @Covers("ibv_resize_cq")
    void areNeitherLostNorDoubledWhenTheQueueIsResizedUnderTraffic() {
        QueuePair loop = loop(queue);
        var ids = new ArrayList<Long>();
        int written = 0;
        for (int round = 0; ids.size() < 300; round++) {
            int count = Math.min(300 - written, 40 - (written - ids.size()));
            write(loop, written, count);
            written += count;
            queue.resize(round % 2 == 0 ? 500 : 45);
            queue.poll(25, completion -> ids.add(completion.workRequestId()));
        }
        assertThat(ids).isEqualTo(LongStream.range(0, 300).boxed().toList());
    }

    @Test
    @Covers({"ibv_resize_cq", "ibv_req_notify_cq"})
    void wakeTheirWaiterAlsoAfterAResize() throws InterruptedException {
        var channel = context.createCompletionChannel();
        var announced = context.createCompletionQueue(
                CompletionQueueOptions.entries(10).withChannel(channel));
        QueuePair loop = loop(announced);
        announced.requestNotification(false);
        announced.resize(300);
        write(loop, 5, 1);
        assertThat(channel.take(Eventually.LIMIT)).isSameAs(announced);
        assertThat(new Completions(announced, loop::toString).nextSuccess().workRequestId())
                .isEqualTo(5);
    }

    static IntStream vectors() {
        try (var context = Rxe.open()) {
            return IntStream.range(0, context.completionVectors());
        }
    }

    @ParameterizedTest
    @MethodSource("vectors")
    @Covers("ibv_create_cq")
    void areAnnouncedOnEachVector(int vector) throws InterruptedException {
        var channel = context.createCompletionChannel();
        var announced = context.createCompletionQueue(
                CompletionQueueOptions.entries(10).withChannel(channel).withCompletionVector(vector));
        QueuePair loop = loop(announced);
        announced.requestNotification(false);
        write(loop, vector, 1);
        assertThat(channel.take(Eventually.LIMIT)).isSameAs(announced);
        new Completions(announced, loop::toString).nextSuccess();
    }

    private void takeTwo(Consumer<WorkCompletion> check) {
        var count = new int[1];
        Eventually.until(
                () -> {
                    try (var batch = queue.beginPoll()) {
                        while (batch.next()) {
                            check.accept(batch.current());
                            count[0]++;
                        }
                    }
                    return count[0] == 2;
                },
                () -> count[0] + " of 2 completions");
    }

    private QueuePair loop(CompletionQueue completions) {
        var prepared = domain.reliableConnection(completions).prepare();
        return prepared.connect(prepared.endpoint());
    }

    private void write(QueuePair loop, long firstId, int count) {
        try (var batch = loop.beginSend()) {
            for (long id = firstId; id < firstId + count; id++) {
                assertThat(batch.signaled()
                        .workRequestId(id)
                        .write()
                        .local(memory, 0, 8)
                        .remote(memory.remote(), 8)
                        .post())
                        .isTrue();
            }
            batch.submit();
        }
    }
}
