// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.verbs4j.spi.Completion;
import io.verbs4j.spi.CompletionQueueRequest;
import io.verbs4j.spi.ProviderAddressHandle;
import io.verbs4j.spi.ProviderCompletionQueue;
import io.verbs4j.spi.ProviderQueuePair;
import io.verbs4j.spi.ProviderSharedReceiveQueue;
import io.verbs4j.spi.QueuePairRequest;
import io.verbs4j.spi.ReceiveQueueOps;
import io.verbs4j.spi.SendQueueOps;
import io.verbs4j.spi.SendRequest;
import io.verbs4j.spi.SharedReceiveQueueRequest;
import io.verbs4j.spi.ring.OpcodeSet;
import io.verbs4j.types.PostResult;
import io.verbs4j.types.QueuePairCapabilities;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.ScatterGatherList;
import io.verbs4j.types.SendFlags;
import io.verbs4j.types.VerbsException;
import io.verbs4j.types.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Tests the requirements of all rings (docs/adding-a-provider.md): a subclass supplies a [PlayedDevice] of its driver.
/// The contract does not depend on a ring's format. The provider tests the driver's own properties: numbers, layouts,
/// order of stores.
@Timeout(120)
public abstract class ProviderContract {
    private static final int RECEIVE_COMPLETION = 128;
    private static final int FLUSHED = 5;
    private static final int MAX_POSTS = 200;
    /// More buffers than fit behind any slot of a small ring without damage.
    private static final int MANY_BUFFERS = 80;

    private @Nullable PlayedDevice opened;
    private @Nullable ProviderCompletionQueue queue;
    private @Nullable ProviderSharedReceiveQueue shared;
    private @Nullable ProviderQueuePair pair;
    private final Completion completion = new Completion();

    /// Opens a device of the provider's driver.
    protected abstract PlayedDevice open();

    @BeforeEach
    void openDevice() {
        opened = open();
    }

    @AfterEach
    void closeDevice() {
        destroy();
        device().close();
    }

    private PlayedDevice device() {
        return Objects.requireNonNull(opened);
    }

    private ProviderCompletionQueue queue() {
        return Objects.requireNonNull(queue);
    }

    private ProviderQueuePair pair() {
        return Objects.requireNonNull(pair);
    }

    private SendQueueOps sends() {
        return pair().sendOps();
    }

    private ReceiveQueueOps receives() {
        return shared != null ? shared.receiveOps() : Objects.requireNonNull(pair().receiveOps());
    }

    private void create(QueuePairType type, int size, boolean sharesReceives) {
        device().nextRings(size, 2);
        queue = device().context().createCompletionQueue(new CompletionQueueRequest(2 * size + 2, 1, null, 0));
        shared = sharesReceives
                ? device().context()
                        .createSharedReceiveQueue(new SharedReceiveQueueRequest(device().domain(), 2, size, 2, 0))
                : null;
        pair = device().context()
                .createQueuePair(new QueuePairRequest(
                        device().domain(), type, queue(), queue(), shared,
                        new QueuePairCapabilities(size, size, 2, 2, 32), false, 3));
    }

    private void create(int size) {
        create(QueuePairType.RC, size, false);
    }

    private void destroy() {
        if (pair != null) {
            pair.destroy();
            pair = null;
        }
        if (shared != null) {
            shared.destroy();
            shared = null;
        }
        if (queue != null) {
            queue.destroy();
            queue = null;
        }
    }

    private List<Post> operations(long seed) {
        return Post.each(device().operations(), device().inlineOperations(), null, seed);
    }

    private static Post send(long id) {
        return new Post(WorkRequestOpcode.SEND, id % 2 == 0 ? Post.Form.BUFFER : Post.Form.LIST, null, id, 31 * id);
    }

    /// Takes the next completion, which must exist.
    private Completion poll() {
        completion.words(-1, -1, -1, -1, -1, -1);
        assertThat(queue().begin()).as("completions that wait").isPositive();
        assertThat(queue().next(completion)).as("there is a completion").isTrue();
        queue().end();
        return completion;
    }

    private void completesSend(long id, Element expected) {
        assertThat(device().waitingSends()).as("sends that wait").isPositive();
        assertThat(device().takeSend(0)).isEqualTo(expected);
        Completion done = poll();
        assertThat(done.workRequestId()).isEqualTo(id);
        assertThat(done.status()).isZero();
        assertThat(done.queuePairNumber()).isEqualTo(pair().number());
        assertThat(List.of(done.vendorError(), done.flags(), done.immediateDataOrKey()))
                .as("fields of receives and failures")
                .containsOnly(0);
    }

    @Test
    void everyFieldIsWrittenAtEachPost() {
        create(2);
        int seed = 1;
        for (int round = 0; round < 8; round++) {
            for (Post post : operations(100 * seed++)) {
                sends().begin();
                assertThat(post.on(sends())).as("%s", post).isEqualTo(PostResult.POSTED);
                assertThat(sends().publish()).isEqualTo(1);
                completesSend(post.id(), post.expected());
            }
        }
        device().checkGuards();
    }

    @Test
    void datagramsCarryTheirDestination() {
        ProviderAddressHandle handle = device().addressHandle();
        if (handle == null) {
            assertThatThrownBy(() -> create(QueuePairType.UD, 2, false))
                    .as("a device without datagrams")
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("UD");
            return;
        }
        create(QueuePairType.UD, 2, false);
        int messages = OpcodeSet.of(WorkRequestOpcode.SEND, WorkRequestOpcode.SEND_WITH_IMMEDIATE);
        for (Post post : Post.each(messages, messages, handle, 7)) {
            sends().begin();
            assertThat(post.on(sends())).isEqualTo(PostResult.POSTED);
            sends().publish();
            completesSend(post.id(), post.expected());
        }
    }

    @Test
    void fullQueueIsAResultAndTouchesNothing() {
        for (boolean sharesReceives : new boolean[]{false, true}) {
            create(QueuePairType.RC, 5, sharesReceives);
            assertFull(sends().capacity(), i -> send(i).on(sends()), sends()::begin, sends()::publish);
            assertFull(receives().capacity(), i -> send(i).receiveOn(receives()), receives()::begin,
                    receives()::publish);
            destroy();
        }
    }

    private void assertFull(int capacity, IntUnaryOperator post, Runnable begin, Runnable publish) {
        assertThat(capacity).isGreaterThanOrEqualTo(5);
        begin.run();
        for (int i = 0; i < capacity; i++) {
            assertThat(post.applyAsInt(i)).isEqualTo(PostResult.POSTED);
        }
        byte[] before = device().memory();
        for (int i = 0; i < 4; i++) {
            assertThat(post.applyAsInt(capacity + i)).isEqualTo(PostResult.QUEUE_FULL);
        }
        assertThat(device().memory()).as("memory behind a post to a full queue").isEqualTo(before);
        publish.run();
        begin.run();
        assertThat(post.applyAsInt(0)).as("post to a full queue, in another batch").isEqualTo(PostResult.QUEUE_FULL);
    }

    @Test
    void nothingIsVisibleBeforePublishAndAnAbandonedBatchLeavesNoTrace() {
        create(4);
        for (int round = 0; round < 20; round++) {
            sends().begin();
            receives().begin();
            for (int i = 0; i < 3; i++) {
                send(i).on(sends());
                send(i).receiveOn(receives());
            }
            assertNothingVisible();
            if (round % 2 == 0) {
                sends().abandon();
                receives().abandon();
            } else {
                sends().begin();
                receives().begin();
            }
            assertThat(sends().publish()).as("work requests of an abandoned batch").isZero();
            assertThat(receives().publish()).isZero();
            assertNothingVisible();
            sends().begin();
            receives().begin();
            for (int i = 0; i <= round % 3; i++) {
                send(100 + i).on(sends());
                send(200 + i).receiveOn(receives());
            }
            assertThat(sends().publish()).isEqualTo(1 + round % 3);
            assertThat(receives().publish()).isEqualTo(1 + round % 3);
            for (int i = 0; i <= round % 3; i++) {
                completesSend(100 + i, send(100 + i).expected());
                assertThat(device().takeReceive(0, 9)).isEqualTo(send(200 + i).expectedReceive());
                assertThat(poll().workRequestId()).isEqualTo(200 + i);
            }
        }
    }

    private void assertNothingVisible() {
        assertThat(device().waitingSends()).as("sends that the device sees").isZero();
        assertThat(device().waitingReceives()).as("receives that the device sees").isZero();
    }

    @Test
    void ringsOfAnySizeAreQueuesInAnyOrderOfEvents() {
        for (int seed = 0; seed < 60; seed++) {
            var random = new Random(seed);
            create(QueuePairType.RC, 1 + random.nextInt(18), seed % 3 == 0);
            try {
                playEvents(random);
                device().checkGuards();
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
            destroy();
        }
    }

    private void playEvents(Random random) {
        List<Post> all = operations(5);
        Deque<Post> sent = new ArrayDeque<>();
        Deque<Post> received = new ArrayDeque<>();
        List<Post> sendBatch = new ArrayList<>();
        List<Post> receiveBatch = new ArrayList<>();
        sends().begin();
        receives().begin();
        for (int id = 0; id < MAX_POSTS; id++) {
            switch (random.nextInt(10)) {
                case 0, 1, 2 -> {
                    Post post = all.get(random.nextInt(all.size())).with(id, random.nextInt());
                    boolean room = sent.size() + sendBatch.size() < sends().capacity();
                    assertThat(post.on(sends())).isEqualTo(room ? PostResult.POSTED : PostResult.QUEUE_FULL);
                    if (room) {
                        sendBatch.add(post);
                    }
                }
                case 3, 4 -> {
                    Post post = send(id);
                    boolean room = received.size() + receiveBatch.size() < receives().capacity();
                    assertThat(post.receiveOn(receives())).isEqualTo(room ? PostResult.POSTED : PostResult.QUEUE_FULL);
                    if (room) {
                        receiveBatch.add(post);
                    }
                }
                case 5 -> {
                    sends().abandon();
                    sendBatch.clear();
                    sends().begin();
                }
                case 6 -> {
                    assertThat(sends().publish()).isEqualTo(sendBatch.size());
                    sent.addAll(sendBatch);
                    sendBatch.clear();
                    sends().begin();
                }
                case 7 -> {
                    assertThat(receives().publish()).isEqualTo(receiveBatch.size());
                    received.addAll(receiveBatch);
                    receiveBatch.clear();
                    receives().begin();
                }
                case 8 -> {
                    if (!sent.isEmpty()) {
                        Post oldest = sent.remove();
                        completesSend(oldest.id(), oldest.expected());
                    }
                }
                default -> {
                    if (!received.isEmpty()) {
                        Post oldest = received.remove();
                        assertThat(device().takeReceive(0, id)).isEqualTo(oldest.expectedReceive());
                        assertThat(poll().workRequestId()).isEqualTo(oldest.id());
                        assertThat(completion.byteLength()).isEqualTo(id);
                    }
                }
            }
            assertThat(device().waitingSends() > 0).isEqualTo(!sent.isEmpty());
            assertThat(device().waitingReceives()).isEqualTo(received.size());
        }
    }

    @Test
    void completionsComeInOrderWithTheirFields() {
        create(6);
        long id = 0;
        Deque<Long> order = new ArrayDeque<>();
        for (int round = 0; round < 30; round++) {
            sends().begin();
            receives().begin();
            int count = 1 + round % 6;
            for (int i = 0; i < count; i++) {
                send(++id).on(sends());
                order.add(id);
                send(++id).receiveOn(receives());
                order.add(id);
            }
            sends().publish();
            receives().publish();
            int status = round % 2 == 0 ? 0 : FLUSHED;
            for (int i = 0; i < count; i++) {
                device().takeSend(status);
                device().takeReceive(status, 40 + i);
            }
            assertThat(queue().begin()).isPositive();
            for (int i = 0; i < 2 * count; i++) {
                assertThat(queue().next(completion)).isTrue();
                assertThat(completion.workRequestId()).isEqualTo(order.remove());
                assertThat(completion.status()).isEqualTo(status);
                assertThat(completion.queuePairNumber()).isEqualTo(pair().number());
                if (status == 0) {
                    assertThat(completion.opcode()).isEqualTo(i % 2 == 0 ? 0 : RECEIVE_COMPLETION);
                    assertThat(i % 2 == 0 ? 40 + i / 2 : completion.byteLength()).isEqualTo(40 + i / 2);
                }
            }
            assertThat(queue().next(completion)).as("a completion more than there are").isFalse();
            queue().end();
            assertThat(queue().begin()).isZero();
        }
    }

    @Test
    void refusesWithAReasonAndTouchesNothing() {
        create(4);
        byte[] before = device().memory();
        var tooMany = new ScatterGatherList();
        for (int i = 0; i <= Math.max(sends().maxScatterGather(), receives().maxScatterGather()); i++) {
            tooMany.add(8L * i, 8, 1);
        }
        int tooLong = sends().maxInlineData() + 1;
        MemorySegment source = MemorySegment.ofArray(new byte[tooLong]);
        SendRequest plain = SendRequest.of(1, 0).operation(WorkRequestOpcode.SEND);
        sends().begin();
        receives().begin();
        refused("buffers", () -> sends().post(plain, tooMany));
        refused("buffers of a receive", () -> receives().receive(1, tooMany));
        refused("inline bytes", () -> sends().postInline(plain, source, 0, tooLong));
        refused("a source that ends before the payload", () -> sends().postInline(plain, source, tooLong - 1L, 2));
        refused("a source before its start", () -> sends().postInline(plain, source, -1, 1));
        refused("a negative length", () -> sends().post(plain, 0, -1, 1));
        refused("a negative length of a receive", () -> receives().receive(1, 0, -1, 1));
        refused("a negative inline length", () -> sends().postInline(plain, source, 0, -1));
        for (int flag : new int[]{SendFlags.INLINE, 1 << 9, 1 << 31}) {
            SendRequest flagged = SendRequest.of(1, flag).operation(WorkRequestOpcode.SEND);
            refused("flag " + flag, () -> sends().post(flagged, 0, 8, 1));
        }
        for (int opcode : new int[]{-1, 10, 11, 13, 31, 32, 34, 1 << 16, Integer.MAX_VALUE}) {
            SendRequest unknown = SendRequest.of(1, 0).operation(opcode);
            refused("operation " + opcode, () -> sends().post(unknown, 0, 8, 1));
            refused("operation " + opcode, () -> sends().post(unknown));
        }
        for (int opcode = 0; opcode < Integer.SIZE; opcode++) {
            if (OpcodeSet.has(Post.TRANSFERS & ~device().operations(), opcode)) {
                Post lacked = new Post(opcode, Post.Form.BUFFER, null, 1, 1);
                refused("operation " + opcode, () -> lacked.on(sends()));
            }
        }
        if (OpcodeSet.has(device().operations(), WorkRequestOpcode.FETCH_AND_ADD)) {
            SendRequest unaligned = SendRequest.of(1, 0)
                    .operation(WorkRequestOpcode.FETCH_AND_ADD)
                    .remote(4, 1)
                    .operands(1, 0);
            refused("an address that is no multiple of 8", () -> sends().post(unaligned, 0, 8, 1));
        }
        assertThat(device().memory()).as("memory behind refusals").isEqualTo(before);
        assertThat(sends().publish()).isZero();
        assertThat(receives().publish()).isZero();
    }

    private static void refused(String what, Runnable post) {
        Throwable refusal = catchThrowable(post::run);
        assertThat(refusal)
                .as("refusal of %s", what)
                .isInstanceOfAny(IllegalArgumentException.class, VerbsException.class);
        assertThat(refusal.getMessage()).as("reason for refusing %s", what).hasSizeGreaterThan(10);
    }

    /// Lists are not thread-safe. A list that changes during a post may be rejected or posted with other buffers, but
    /// the post must not write past its slot.
    @Test
    void aListThatAnotherThreadChangesIsNotWrittenPastItsSlot() throws InterruptedException {
        var list = new ScatterGatherList();
        var done = new AtomicBoolean();
        Thread changing = Thread.ofPlatform().daemon().start(() -> {
            while (!done.get()) {
                list.clear().add(0, 8, 1); // usually short enough
                for (int i = 0; i < 20; i++) {
                    Thread.onSpinWait();
                }
                for (int i = 1; i < MANY_BUFFERS; i++) {
                    list.add(8L * i, 8, 1);
                }
            }
        });
        try {
            for (boolean sharesReceives : new boolean[]{false, true}) {
                create(QueuePairType.RC, 4, sharesReceives);
                for (int round = 0; round < 100; round++) {
                    postBehindOthers(list);
                }
                destroy();
            }
        } finally {
            done.set(true);
            changing.join();
        }
    }

    /// Posts a list again and again into the last free slot, and checks the work requests in all other slots.
    private void postBehindOthers(ScatterGatherList list) {
        int sent = sends().capacity() - 1;
        int received = receives().capacity() - 1;
        sends().begin();
        for (int i = 0; i < sent; i++) {
            send(i).on(sends());
        }
        sends().publish();
        receives().begin();
        for (int i = 0; i < received; i++) {
            send(i).receiveOn(receives());
        }
        receives().publish();
        SendRequest request = SendRequest.of(-1, 0).operation(WorkRequestOpcode.SEND);
        for (int i = 0; i < 500; i++) {
            sends().begin();
            receives().begin();
            unlessRejected(() -> sends().post(request, list));
            unlessRejected(() -> receives().receive(-1, list));
        }
        sends().abandon();
        receives().abandon();
        device().checkGuards();
        assertThat(device().waitingReceives()).isEqualTo(received);
        for (int i = 0; i < sent; i++) {
            completesSend(i, send(i).expected());
        }
        for (int i = 0; i < received; i++) {
            assertThat(device().takeReceive(0, 9)).isEqualTo(send(i).expectedReceive());
            assertThat(poll().workRequestId()).isEqualTo(i);
        }
    }

    private static void unlessRejected(Runnable post) {
        try {
            post.run();
        } catch (IllegalArgumentException | IndexOutOfBoundsException _) {
            // Too many buffers at that moment, or an array that was just replaced.
        }
    }

    @Test
    void useAfterDestroyThrows() {
        for (boolean sharesReceives : new boolean[]{false, true}) {
            create(QueuePairType.RC, 4, sharesReceives);
            SendQueueOps sends = sends();
            ReceiveQueueOps receives = receives();
            ProviderCompletionQueue polled = queue();
            sends.begin();
            receives.begin();
            send(1).on(sends);
            send(1).receiveOn(receives);
            destroy();
            ended("post", () -> send(2).on(sends));
            ended("publish", sends::publish);
            ended("receive", () -> send(2).receiveOn(receives));
            ended("publish of receives", receives::publish);
            ended("poll", () -> {
                if (polled.begin() >= 0) {
                    polled.next(completion);
                }
            });
            assertThatThrownBy(() -> polled.requestNotification(false))
                    .as("arming after the end, by the kernel or without it")
                    .isInstanceOfAny(IllegalStateException.class, VerbsException.class);
            sends.abandon();
            receives.abandon();
        }
    }

    private static void ended(String what, Runnable use) {
        assertThatIllegalStateException().as("%s after the end", what)
                .isThrownBy(use::run)
                .withMessageMatching(".{10,}");
    }

    @Test
    void rubbishFromTheDeviceDoesNoHarm() {
        for (int seed = 0; seed < 300; seed++) {
            var random = new Random(seed);
            create(QueuePairType.RC, 1 + random.nextInt(9), seed % 3 == 0);
            try {
                sends().begin();
                receives().begin();
                for (int round = 0; round < 6; round++) {
                    int most = 3 * (sends().capacity() + receives().capacity() + queue().capacity());
                    device().writeRubbish(random);
                    boolean all = random.nextInt(3) == 0;
                    assertThat(posted(all ? most : random.nextInt(6), i -> send(i).on(sends())))
                            .isLessThanOrEqualTo(sends().capacity());
                    // The free elements of a shared queue are a list that the device's completions determine.
                    assertThat(posted(all ? most : random.nextInt(6), i -> send(i).receiveOn(receives())))
                            .isLessThanOrEqualTo(shared == null ? receives().capacity() : most);
                    sends().publish();
                    receives().publish();
                    device().writeRubbish(random);
                    int polled = 0;
                    while (queue().begin() != 0 && queue().next(completion)) {
                        queue().end();
                        assertThat(polled++).as("completions without the device's doing").isLessThan(most);
                    }
                    queue().end();
                    sends().begin();
                    receives().begin();
                }
                device().checkGuards();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e, e);
            }
            destroy();
        }
    }

    private static int posted(int most, IntUnaryOperator post) {
        int count = 0;
        while (count < most && post.applyAsInt(count) == PostResult.POSTED) {
            count++;
        }
        return count;
    }

    @Test
    void creationThatFailsLeavesNothingBehind() {
        List<String> before = List.copyOf(device().left());
        int failures = 0;
        for (boolean sharesReceives : new boolean[]{false, true}) {
            for (int nth = 1; nth < 30; nth++) {
                device().failCall(nth);
                Throwable failure = catchThrowable(() -> create(QueuePairType.RC, 3, sharesReceives));
                boolean failed = device().hasFailed();
                if (failed) {
                    failures++;
                    assertThat(failure).as("failure of call %d", nth).isInstanceOf(VerbsException.class);
                } else {
                    assertThat(failure).isNull();
                }
                device().failCall(0);
                destroy();
                assertThat(device().left()).as("left when call %d failed", nth)
                        .containsExactlyInAnyOrderElementsOf(before);
                if (!failed) {
                    break;
                }
            }
        }
        assertThat(failures).as("calls that a creation makes").isGreaterThanOrEqualTo(5);
    }

    @Test
    void dataPathAllocatesNothing() {
        allocatesNothing(QueuePairType.RC, null);
        ProviderAddressHandle handle = device().addressHandle();
        if (handle != null) {
            allocatesNothing(QueuePairType.UD, handle);
        }
    }

    private void allocatesNothing(QueuePairType type, @Nullable ProviderAddressHandle handle) {
        create(type, 64, false);
        boolean atomics = type == QueuePairType.RC
                && OpcodeSet.has(device().operations(), WorkRequestOpcode.FETCH_AND_ADD);
        var request = new SendRequest();
        var list = new ScatterGatherList().add(8, 16, 1).add(64, 8, 2);
        MemorySegment payload = MemorySegment.ofArray(new byte[32]);
        request.workRequestId(1).flags(SendFlags.SIGNALED).operation(WorkRequestOpcode.SEND).to(handle, 5, 6);
        long allocated = 0;
        long baseline = 0;
        int operations = 0;
        for (int round = 0; round < 1200; round++) {
            long none = AllocatedBytes.now();
            none = AllocatedBytes.now() - none;
            long before = AllocatedBytes.now();
            sends().begin();
            receives().begin();
            for (int i = 0; i < 60; i++) {
                request.workRequestId(i).flags(SendFlags.SIGNALED).operation(WorkRequestOpcode.SEND);
                int posted = switch (i % 4) {
                    case 0 -> sends().post(request, 8, 16, 1);
                    case 1 -> sends().post(request, list);
                    case 2 -> sends().postInline(request, payload, 0, 32);
                    default -> atomics
                            ? sends().post(request.operation(WorkRequestOpcode.FETCH_AND_ADD)
                                    .remote(8, 1)
                                    .operands(1, 0), 8, 8, 1)
                            : sends().post(request, 0, 0, 0);
                };
                posted += i % 2 == 0 ? receives().receive(i, 8, 16, 1) : receives().receive(i, list);
                if (posted != 2 * PostResult.POSTED) {
                    throw new AssertionError("post " + i + " of round " + round);
                }
            }
            sends().publish();
            receives().publish();
            long posting = AllocatedBytes.now() - before;
            for (int i = 0; i < 60; i++) {
                device().takeSend(0);
                device().takeReceive(0, 8);
            }
            before = AllocatedBytes.now();
            int polled = 0;
            queue().begin();
            while (queue().next(completion)) {
                polled++;
            }
            queue().end();
            long polling = AllocatedBytes.now() - before;
            assertThat(polled).isEqualTo(120);
            if (round >= 200) { // by now the code above is compiled or has settled
                allocated += posting + polling;
                baseline += 2 * none;
                operations += 240;
            }
        }
        assertThat(allocated - baseline).as("bytes of %d operations", operations).isLessThan(operations / 100);
        destroy();
    }
}
