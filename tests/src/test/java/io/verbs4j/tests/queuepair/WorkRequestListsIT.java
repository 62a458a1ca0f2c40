// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.queuepair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.verbs4j.CompletionRecord;
import io.verbs4j.LocalMemory;
import io.verbs4j.QueuePair;
import io.verbs4j.QueuePairBuilder;
import io.verbs4j.ReceiveWorkRequest;
import io.verbs4j.RemoteMemory;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.End;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.TestBytes;
import io.verbs4j.types.Access;
import io.verbs4j.types.InvalidWorkRequestException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Lists of work requests, and lists of buffers up to the device's limit.
@DeviceTest
@Covers({"ibv_post_send", "ibv_post_recv"})
@Needs.EachKernel
class WorkRequestListsIT {
    private static final int CAPACITY = 15;
    private static final int INLINE = 96;

    private final ConnectedPair pair = ConnectedPair.onOneDevice()
            .both(builder -> builder.maxSends(CAPACITY)
                    .maxReceives(CAPACITY)
                    .maxSendScatterGather(elements())
                    .maxReceiveScatterGather(elements())
                    .maxInlineData(INLINE)
                    .minRnrTimer(1))
            .connect();
    private final End left = pair.left();
    private final End right = pair.right();
    private final RemoteMemory remote = right.memory().remote();

    @AfterEach
    void close() {
        pair.close();
    }

    private static int elements() {
        return 32; // RXE_MAX_SGE
    }

    @Test
    void postsReceivesInTheirOrder() {
        TestBytes.fill(left.bytes(0, 60), 1);
        var memory = right.memory();
        assertThat(right.queuePair()
                .postReceives(List.of(
                        ReceiveWorkRequest.into(memory.slice(0, 20)).withId(1),
                        ReceiveWorkRequest.into().withId(2),
                        new ReceiveWorkRequest(3, List.of(memory.slice(20, 10), memory.slice(30, 30))))))
                .isEqualTo(3);
        assertThat(left.queuePair()
                .post(
                        new SendWorkRequest().send().local(left.memory().slice(0, 20)),
                        new SendWorkRequest().send().local(),
                        new SendWorkRequest().send().local(left.memory().slice(20, 40))))
                .isEqualTo(3);
        assertThat(right.completions().nextSuccesses(3))
                .extracting(CompletionRecord::workRequestId)
                .containsExactly(1L, 2L, 3L);
        TestBytes.assertHolds(right.bytes(0, 60), 1);
    }

    @Test
    void postsTheFirstReceivesOfAListThatIsTooLong() {
        var requests = LongStream.range(0, CAPACITY + 3)
                .mapToObj(id -> ReceiveWorkRequest.into(right.memory().slice(8 * id, 8)).withId(id))
                .toList();
        assertThat(right.queuePair().postReceives(requests)).isEqualTo(CAPACITY);
        assertThat(right.queuePair().postReceives(requests)).isZero();
        assertThat(left.queuePair().post(sends(CAPACITY))).isEqualTo(CAPACITY);
        assertThat(right.completions().nextSuccesses(CAPACITY))
                .extracting(CompletionRecord::workRequestId)
                .isEqualTo(LongStream.range(0, CAPACITY).boxed().toList());
        // What had no room is posted by a second call.
        assertThat(right.queuePair().postReceives(requests.subList(CAPACITY, requests.size()))).isEqualTo(3);
    }

    @Test
    void postsTheRestOfAListThatHadNoRoomLater() {
        var requests = LongStream.range(0, 40)
                .mapToObj(id -> new SendWorkRequest().write()
                        .local(left.memory().slice(0, 8))
                        .remote(remote)
                        .workRequestId(id)
                        .signaled())
                .toList();
        for (int posted = 0; posted < requests.size();) {
            int count = left.queuePair().post(requests.subList(posted, requests.size()));
            assertThat(count).isEqualTo(Math.min(CAPACITY, requests.size() - posted));
            assertThat(left.completions().nextSuccesses(count))
                    .extracting(CompletionRecord::workRequestId)
                    .isEqualTo(LongStream.range(posted, posted + count).boxed().toList());
            posted += count;
        }
        left.completions().assertNone();
    }

    @Test
    void saysWhichWorkRequestIsNotValidAndPostsNone() {
        var good = new SendWorkRequest().write().local(left.memory().slice(0, 8)).remote(remote).signaled();
        try (
                var readOnly = left.domain().allocate(64);
                var domain = left.context().allocateProtectionDomain();
                var foreign = domain.allocate(64, Access.LOCAL_WRITE)) {
            byte[] tooLong = new byte[left.queuePair().capabilities().maxInlineData() + 1];
            refuses(1, good, new SendWorkRequest().send().inline(MemorySegment.ofArray(tooLong)), good);
            refuses(0, new SendWorkRequest().write().local(left.memory().slice(0, 8)).remote(remote.slice(0, 7)), good);
            refuses(2, good, good, new SendWorkRequest().read().local(readOnly.slice(0, 8)).remote(remote));
            refuses(1, good, new SendWorkRequest().send().local(foreign.slice(0, 8)));
            refuses(1, good, new SendWorkRequest().fetchAndAdd(1)
                    .local(left.memory().slice(0, 8).slice(0, Long.BYTES))
                    .remote(remote.slice(4, 8)));
            assertThatThrownBy(() -> right.queuePair()
                    .postReceives(List.of(
                            ReceiveWorkRequest.into(right.memory().slice(0, 8)),
                            ReceiveWorkRequest.into(readOnly.slice(0, 8)))))
                    .asInstanceOf(type(InvalidWorkRequestException.class))
                    .matches(refused -> refused.index() == 1)
                    .satisfies(refused -> assertThat(refused).hasMessageContaining("LOCAL_WRITE"));
        }
        left.send(5, 0, 8);
        right.receive(6, 0, 8); // the first one that is there
        assertThat(right.completions().nextSuccess().workRequestId()).isEqualTo(6);
        assertThat(left.completions().nextSuccess().workRequestId()).isEqualTo(5);
        left.completions().assertNone();
    }

    private void refuses(int index, SendWorkRequest... requests) {
        assertThatThrownBy(() -> left.queuePair().post(requests))
                .asInstanceOf(type(InvalidWorkRequestException.class))
                .matches(refused -> refused.index() == index)
                .satisfies(refused -> assertThat(refused)
                        .hasMessageStartingWith("work request " + index + " of the list: ")
                        .hasCauseInstanceOf(RuntimeException.class));
    }

    @Test
    @Covers("ibv_post_srq_recv")
    void postsReceivesToASharedQueue() {
        try (
                var shared = left.domain().createSharedReceiveQueue(3, 2);
                var queuePair = loop(left.domain()
                        .reliableConnection(left.queue())
                        .sharedReceiveQueue(shared))) {
            var requests = new ArrayList<ReceiveWorkRequest>();
            for (int id = 0; id < shared.capacity() + 2; id++) {
                requests.add(ReceiveWorkRequest.into(left.memory().slice(1024 + 8L * id, 8)).withId(id));
            }
            assertThat(shared.postReceives(requests)).isEqualTo(shared.capacity());
            assertThatThrownBy(() -> shared.postReceives(List.of(ReceiveWorkRequest.into(right.memory().slice(0, 8)))))
                    .isInstanceOf(InvalidWorkRequestException.class)
                    .hasMessageContaining("another protection domain");
            TestBytes.fill(left.bytes(0, 16), 2);
            queuePair.post(
                    new SendWorkRequest().send().local(left.memory().slice(0, 8)), new SendWorkRequest().send()
                            .local(left.memory().slice(8, 8)));
            assertThat(left.completions().nextSuccesses(2))
                    .extracting(CompletionRecord::workRequestId)
                    .containsExactly(0L, 1L);
            TestBytes.assertHolds(left.bytes(1024, 16), 2);
        }
    }

    /// Describes what takes a list of buffers.
    enum Gathering {
        SEND,
        SEND_WITH_IMMEDIATE,
        RDMA_WRITE,
        RDMA_WRITE_WITH_IMMEDIATE,
        RDMA_READ
    }

    @ParameterizedTest
    @EnumSource
    void takesAsManyBuffersAsTheDeviceDoes(Gathering operation) {
        assertThat(left.queuePair().capabilities().maxSendScatterGather()).isEqualTo(elements());
        TestBytes.fill(left.bytes(0, 4096), 3);
        TestBytes.fill(right.bytes(0, 4096), 3);
        var parts = new ArrayList<LocalMemory>();
        long at = operation == Gathering.RDMA_READ ? 8192 : 0;
        long start = at;
        for (int i = 0; i < elements(); i++) {
            int length = i % 5 == 4 ? 0 : 3 * i + 1;
            parts.add(left.memory().slice(at, length));
            at += length;
        }
        var list = parts.toArray(LocalMemory[]::new);
        RemoteMemory target = remote.slice(16384, at);
        right.queuePair().postReceives(List.of(ReceiveWorkRequest.into(right.memory().slice(16384, at))));
        var request =
                switch (operation) {
                    case SEND -> new SendWorkRequest().send().local(list);
                    case SEND_WITH_IMMEDIATE -> new SendWorkRequest().send().immediate(1).local(list);
                    case RDMA_WRITE -> new SendWorkRequest().write().local(list).remote(target);
                    case RDMA_WRITE_WITH_IMMEDIATE -> new SendWorkRequest().write()
                            .immediate(1)
                            .local(list)
                            .remote(target);
                    case RDMA_READ -> new SendWorkRequest().read().local(list).remote(remote);
                };
        assertThat(left.queuePair().post(request.signaled())).isEqualTo(1);
        left.completions().nextSuccess();
        MemorySegment filled = operation == Gathering.RDMA_READ
                ? left.bytes(start, at - start)
                : right.bytes(16384, at);
        TestBytes.assertSame(filled, Arrays.copyOf(TestBytes.of(3, 4096), (int) (at - start)));

        parts.add(left.memory().slice(0, 1));
        assertThatThrownBy(() -> left.queuePair()
                .post(new SendWorkRequest().send()
                        .local(parts.toArray(LocalMemory[]::new))))
                .isInstanceOf(InvalidWorkRequestException.class)
                .hasMessageContaining("elements=33 exceeds maxScatterGather=32");
    }

    /// Connected with itself.
    private static QueuePair loop(QueuePairBuilder builder) {
        var prepared = builder.maxSends(CAPACITY).prepare();
        return prepared.connect(prepared.endpoint());
    }

    private static List<SendWorkRequest> sends(int count) {
        return Collections.nCopies(count, new SendWorkRequest().send().local());
    }
}
