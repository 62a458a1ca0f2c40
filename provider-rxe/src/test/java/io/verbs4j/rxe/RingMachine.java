// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.Transport;
import io.verbs4j.abi.uapi.RdmaDriver;
import io.verbs4j.spi.Completion;
import io.verbs4j.spi.CompletionQueueRequest;
import io.verbs4j.spi.ProviderCompletionQueue;
import io.verbs4j.spi.ProviderContext;
import io.verbs4j.spi.ProviderProtectionDomain;
import io.verbs4j.spi.ProviderQueuePair;
import io.verbs4j.spi.ProviderSharedReceiveQueue;
import io.verbs4j.spi.QueuePairRequest;
import io.verbs4j.spi.ReceiveQueueOps;
import io.verbs4j.spi.SharedReceiveQueueRequest;
import io.verbs4j.types.PostResult;
import io.verbs4j.types.QueuePairCapabilities;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.VerbsException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// A queue pair, its completion queue and its receive queue, shared or not, each with its own ring. On one side is the
/// provider, on the other a kernel with arbitrary behaviour. A model describes the contents that both may see. Each
/// step checks its intended changes, [#checkRest()] that nothing else changed.
final class RingMachine implements AutoCloseable {
    /// Geometry of all rings.
    ///
    /// @param shared whether receives go to a shared receive queue, which can be resized
    /// @param sendElements buffers of a send, 1 to 32
    /// @param inlineBytes bytes of an inline payload, at least 16 per buffer as in the kernel
    /// @param receiveElements buffers of a receive
    record Shape(
            QueuePairType type,
            boolean shared,
            Ring send,
            int sendElements,
            int inlineBytes,
            Ring receive,
            int receiveElements,
            Ring completions,
            int completionShift) {
        int sendShift() {
            return shift(208 + Math.max(16 * sendElements, inlineBytes));
        }

        int receiveShift() {
            return shift(40 + 16 * receiveElements);
        }

        /// Sizes of elements are powers of two, and at least a cache line (`rxe_queue_init`, rxe_queue.c).
        private static int shift(int bytes) {
            return Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(bytes, 64) - 1);
        }
    }

    /// One ring.
    ///
    /// @param slots a power of two
    /// @param start initial value of its indices
    record Ring(int slots, int start) {}

    private final FakeDevice device = new FakeDevice();
    private final CommandChannel channel =
            CommandChannel.open(device, RdmaDriver.RXE, "rxe0", 2, Transport.NATIVE_IOCTL);
    private final Shape shape;
    private final ProviderCompletionQueue queue;
    private final ProviderQueuePair pair;
    private final @Nullable ProviderSharedReceiveQueue shared;
    private final ReceiveQueueOps receives;
    private final PostKind.Target target;
    private final WorkModel sendModel;
    private final Random kernelsWhim = new Random(42);
    private final Deque<byte[]> completions = new ArrayDeque<>();
    private final Completion completion = new Completion();

    private WorkModel receiveModel;
    private FakeRing completionRing;
    private int consumed;
    private long nextId;

    RingMachine(Shape shape) {
        this.shape = shape;
        device.shape("SQ", shape.send.slots, shape.sendShift(), shape.send.start);
        device.shape("RQ", shape.receive.slots, shape.receiveShift(), shape.receive.start);
        device.shape("SRQ", shape.receive.slots, shape.receiveShift(), shape.receive.start);
        device.shape("CQ", shape.completions.slots, shape.completionShift, shape.completions.start);
        device.limits(shape.sendElements, shape.inlineBytes, shape.receiveElements);
        ProviderContext context = new RxeProviderFactory().open(channel);
        var domain = new ProviderProtectionDomain(channel, Rings.DOMAIN);
        queue = context.createCompletionQueue(new CompletionQueueRequest(shape.completions.slots - 1, 1, null, 0));
        shared = shape.shared
                ? context.createSharedReceiveQueue(new SharedReceiveQueueRequest(
                        domain, 2, shape.receive.slots - 1, shape.receiveElements, 0))
                : null;
        pair = context.createQueuePair(new QueuePairRequest(
                domain, shape.type, queue, queue, shared, new QueuePairCapabilities(1, 1, 1, 1, 0), false, 3));
        ReceiveQueueOps own = shared == null ? pair.receiveOps() : shared.receiveOps();
        if (own == null) {
            throw new AssertionError("no receive queue");
        }
        receives = own;
        completionRing = device.ring("CQ");
        sendModel = new WorkModel(device.ring("SQ"));
        receiveModel = new WorkModel(device.ring(shared == null ? "RQ" : "SRQ"));
        target = new PostKind.Target(
                pair.sendOps(),
                shape.type,
                shape.sendElements,
                shape.inlineBytes,
                new RxeAddressHandle(channel, 1, Rings.DOMAIN, PostKind.ADDRESS_HANDLE));
        consumed = shape.completions.start;
        assertThat(pair.sendOps().capacity()).isEqualTo(shape.send.slots - 1);
        assertThat(receives.capacity()).isEqualTo(shape.receive.slots - 1);
        assertThat(queue.capacity()).isEqualTo(shape.completions.slots - 1);
    }

    // Actions of a program.

    /// Posts a send, or one that must be rejected.
    void send(PostKind.Post post) {
        long id = nextId++;
        PostKind.Attempt attempt = post.kind().attempt(target, post, id);
        int[] result = {PostResult.POSTED};
        Throwable refusal = catchThrowable(() -> result[0] = attempt.run());
        if (!attempt.legal()) {
            assertThat(refusal).as("refusal of %s", post).isInstanceOf(IllegalArgumentException.class);
        } else {
            assertThat(refusal).as("refusal of %s", post).isNull();
            sendModel.posted(result[0], attempt::encode);
        }
        sendModel.checkNothingPublished();
    }

    /// Posts the simplest sends until there is no room.
    void sendUntilFull() {
        int posted = 0;
        PostKind kind = shape.type == QueuePairType.UD ? PostKind.DATAGRAM : PostKind.TRANSFER;
        while (sendModel.hasRoom()) {
            send(new PostKind.Post(kind, 0, 1, 64, nextId));
            posted++;
        }
        send(new PostKind.Post(kind, 0, 1, 64, nextId));
        assertThat(posted).isLessThanOrEqualTo(pair.sendOps().capacity());
    }

    void publishSends() {
        sendModel.published(pair.sendOps().publish());
    }

    void abandonSends(boolean atBegin) {
        if (atBegin) {
            pair.sendOps().begin();
        } else {
            pair.sendOps().abandon();
        }
        sendModel.abandoned();
    }

    /// Rings the doorbell, which changes nothing in memory.
    void doorbell() {
        assertThat(pair.sendOps().doorbell()).isZero();
    }

    /// Posts a receive; with one buffer, by the shorter method.
    void receive(int elements, long seed) {
        long id = nextId++;
        PostKind.Attempt attempt = PostKind.receive(receives, shape.receiveElements, elements, id, seed);
        int[] result = {PostResult.POSTED};
        Throwable refusal = catchThrowable(() -> result[0] = attempt.run());
        if (!attempt.legal()) {
            assertThat(refusal).isInstanceOf(IllegalArgumentException.class);
        } else {
            assertThat(refusal).isNull();
            receiveModel.posted(result[0], attempt::encode);
        }
        receiveModel.checkNothingPublished();
    }

    void publishReceives() {
        receiveModel.published(receives.publish());
    }

    void abandonReceives(boolean atBegin) {
        if (atBegin) {
            receives.begin();
        } else {
            receives.abandon();
        }
        receiveModel.abandoned();
    }

    /// Takes up to `max` completions, and returns their slots after each or at the end. A batch may have fewer than are
    /// available, since the kernel's index is read only when its last value is used up.
    void poll(int max, boolean givesBackEach) {
        int left = max;
        while (left > 0 && !completions.isEmpty()) {
            int promised = queue.begin();
            assertThat(promised).isBetween(1, completions.size());
            for (int i = 0; i < promised && left > 0; i++, left--) {
                assertThat(queue.next(completion)).isTrue();
                Cqe.assertDecoded(completion, completions.remove());
                consumed = consumed + 1 & completionRing.mask();
                if (givesBackEach) {
                    queue.end();
                    assertThat(completionRing.consumer()).isEqualTo(consumed);
                }
            }
            queue.end();
            assertThat(completionRing.consumer()).isEqualTo(consumed);
        }
        if (completions.isEmpty()) {
            assertThat(queue.begin()).isZero();
            assertThat(queue.next(completion)).isFalse();
        }
    }

    /// Requests another size. The kernel refuses one without room for the waiting completions.
    void resizeCompletions(int entries) {
        int before = queue.capacity();
        Throwable refusal = catchThrowable(() -> queue.resize(entries));
        if (entries < completions.size()) {
            assertThat(refusal).isInstanceOf(VerbsException.class);
            assertThat(queue.capacity()).isEqualTo(before);
        } else {
            assertThat(refusal).isNull();
            completionRing = device.ring("CQ");
            consumed = 0;
            assertThat(queue.capacity()).isEqualTo(completionRing.mask()).isGreaterThanOrEqualTo(entries);
        }
    }

    /// Like [#resizeCompletions]; an open batch of receives is discarded.
    void resizeReceives(int entries) {
        if (shared == null) {
            return;
        }
        int before = receives.capacity();
        Throwable refusal = catchThrowable(() -> shared.resize(entries));
        if (entries < receiveModel.waiting()) {
            assertThat(refusal).isInstanceOf(VerbsException.class);
            assertThat(receives.capacity()).isEqualTo(before);
        } else {
            assertThat(refusal).isNull();
            receiveModel = receiveModel.moved(device.ring("SRQ"));
            assertThat(receives.capacity()).isGreaterThanOrEqualTo(entries);
        }
    }

    // Actions of the kernel.

    /// Starts on the oldest send: writes its progress into the element, as `rxe_requester` does.
    void kernelWorksInElement() {
        sendModel.kernelWrites(kernelsWhim);
    }

    /// Takes up to `count` sends, reads them as they are, and leaves garbage in their slots.
    void kernelTakesSends(int count) {
        sendModel.kernelTakes(count, kernelsWhim);
    }

    void kernelTakesReceives(int count) {
        receiveModel.kernelTakes(count, kernelsWhim);
    }

    /// Reports completions with any contents.
    void kernelCompletes(int count) {
        for (int i = 0; i < count; i++) {
            byte[] element = new byte[72];
            kernelsWhim.nextBytes(element);
            boolean room = completions.size() < completionRing.mask();
            assertThat(completionRing.produce(element)).as("room in the completion ring").isEqualTo(room);
            if (!room) {
                break;
            }
            completions.add(element);
        }
    }

    // Invariants.

    /// Compares the parts that are cheap to compare.
    void check() {
        sendModel.check();
        receiveModel.check();
        assertThat(completionRing.consumer()).as("consumer index")
                .isEqualTo(consumed)
                .isBetween(0, completionRing.mask());
        assertHeader(completionRing);
    }

    /// Compares every byte of the rings, and empties them.
    void checkRest() {
        sendModel.checkAll();
        receiveModel.checkAll();
        kernelTakesSends(Integer.MAX_VALUE);
        kernelTakesReceives(Integer.MAX_VALUE);
        poll(Integer.MAX_VALUE, false);
        check();
    }

    static void assertHeader(FakeRing ring) {
        byte[] header = ring.memory().asSlice(0, FakeRing.HEADER_BYTES).toArray(JAVA_BYTE);
        byte[] expected = new byte[header.length];
        Arrays.fill(expected, FakeRing.DIRT);
        for (long word : new long[]{
                FakeRing.LOG2_ELEM_SIZE, FakeRing.INDEX_MASK, FakeRing.PRODUCER_INDEX, FakeRing.CONSUMER_INDEX
        }) {
            System.arraycopy(header, (int) word, expected, (int) word, Integer.BYTES);
        }
        assertThat(header).as("what lies between the words of the header").isEqualTo(expected);
        ring.assertGuardsUntouched();
    }

    @Override
    public void close() {
        pair.destroy();
        if (shared != null) {
            shared.destroy();
        }
        queue.destroy();
        device.free();
    }

    @Override
    public String toString() {
        return shape + ", sends " + sendModel + ", receives " + receiveModel + ", completions " + completions.size();
    }
}
