// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static io.verbs4j.types.WorkRequestOpcode.SEND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.Transport;
import io.verbs4j.spi.Completion;
import io.verbs4j.spi.CompletionQueueRequest;
import io.verbs4j.spi.ProviderCompletionQueue;
import io.verbs4j.spi.ProviderContext;
import io.verbs4j.spi.ProviderProtectionDomain;
import io.verbs4j.spi.ProviderQueuePair;
import io.verbs4j.spi.ProviderSharedReceiveQueue;
import io.verbs4j.spi.QueuePairRequest;
import io.verbs4j.spi.ReceiveQueueOps;
import io.verbs4j.spi.SendRequest;
import io.verbs4j.spi.SharedReceiveQueueRequest;
import io.verbs4j.types.DeviceGoneException;
import io.verbs4j.types.Errno;
import io.verbs4j.types.NotSupportedException;
import io.verbs4j.types.PostResult;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairCapabilities;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.VerbsException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Queues are created, resized and destroyed in the right order, and a failure in between leaks nothing.
class QueueLifecycleTest {
    private final FakeDevice device = new FakeDevice();
    private final CommandChannel channel = CommandChannel.open(device, 14, "rxe0", 2, Transport.NATIVE_IOCTL);
    private final ProviderContext context = new RxeProviderFactory().open(channel);
    private final ProviderProtectionDomain domain = new ProviderProtectionDomain(channel, 3);

    QueueLifecycleTest() {
        device.log().clear();
    }

    @AfterEach
    void close() {
        device.free();
    }

    private ProviderCompletionQueue completionQueue() {
        return context.createCompletionQueue(new CompletionQueueRequest(5, 1, null, 0));
    }

    private ProviderQueuePair queuePair(@Nullable ProviderSharedReceiveQueue shared) {
        ProviderCompletionQueue queue = completionQueue();
        device.log().clear();
        return context.createQueuePair(new QueuePairRequest(
                domain, QueuePairType.RC, queue, queue, shared, new QueuePairCapabilities(5, 5, 1, 1, 0), false, 2));
    }

    private ProviderSharedReceiveQueue sharedReceiveQueue() {
        return context.createSharedReceiveQueue(new SharedReceiveQueueRequest(domain, 3, 5, 1, 0));
    }

    @Test
    void datagramsAreLimitedByTheMtuThatThePortHasWhenTheStateChanges() {
        var rings = new Rings();
        var handle = rings.handle(1);
        var message = SendRequest.of(0, 0).operation(SEND).to(handle, 1, 1);
        ProviderCompletionQueue queue = completionQueue();
        ProviderQueuePair queuePair = context.createQueuePair(new QueuePairRequest(
                domain, QueuePairType.UD, queue, queue, null, new QueuePairCapabilities(5, 5, 1, 1, 0), false, 2));
        assertThat(queuePair.sendOps().post(message, 0, FakeDevice.MTU, 0)).isEqualTo(PostResult.POSTED);

        device.setActiveMtu(1);
        queuePair.modify(QueuePairAttributes.builder().qkey(5).build());
        assertThat(queuePair.sendOps().post(message, 0, 257, 0)).isEqualTo(PostResult.POSTED);
        queuePair.modify(QueuePairAttributes.builder().state(QueuePairState.INIT).build());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> queuePair.sendOps().post(message, 0, 257, 0))
                .withMessageContaining("length=257 is not in 0..256");
        queuePair.destroy();
        queue.destroy();
    }

    @Test
    void completionQueueIsDestroyedBeforeItsRingIsUnmapped() {
        ProviderCompletionQueue queue = completionQueue();
        assertThat(queue.capacity()).isEqualTo(7);
        queue.destroy();
        assertThat(device.log()).containsExactly("create completion queue", "map", "destroy completion queue", "unmap");
        assertThatIllegalStateException().isThrownBy(queue::begin);
    }

    @Test
    void ringThatCannotBeUnmappedIsTriedAgainWithTheFile() {
        ProviderCompletionQueue queue = completionQueue();
        device.fail("unmap", 1);
        queue.destroy();
        assertThat(device.left()).contains("1 mapped rings");

        device.fail("unmap", 1);
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(channel::close)
                .satisfies(failure -> assertThat(failure.errno()).isEqualTo(Errno.ENOMEM))
                .withMessageContaining("unmap ring");
        assertThat(device.left()).contains("1 mapped rings").doesNotContain("the device");

        channel.close();
        assertThat(device.left()).doesNotContain("1 mapped rings");
        device.log().clear();
        channel.close();
        assertThat(device.log()).isEmpty();
    }

    @Test
    void completionQueueWithoutRingIsNotKept() {
        device.fail("map", 1);
        assertThatExceptionOfType(VerbsException.class).isThrownBy(this::completionQueue);
        assertThat(device.log()).containsExactly("create completion queue", "map fails", "destroy completion queue");
    }

    @Test
    void completionQueueWithANonsensicalHeaderIsNotKept() {
        device.writeNonsense();
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(this::completionQueue)
                .withMessageContaining("index_mask=0x6");
        assertThat(device.log()).containsExactly("create completion queue", "map", "unmap", "destroy completion queue");
    }

    @Test
    void failureToCleanUpIsAttached() {
        device.fail("map", 1);
        device.fail("destroy completion queue", 1);
        assertThatExceptionOfType(VerbsException.class)
                .isThrownBy(this::completionQueue)
                .withMessageContaining("map ring")
                .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(1));
    }

    @Test
    void completionQueueThatIsInUseStaysUsable() {
        ProviderCompletionQueue queue = completionQueue();
        device.fail("destroy completion queue", 1);
        assertThatExceptionOfType(VerbsException.class).isThrownBy(queue::destroy);
        device.ring("CQ").produce(FakeKernel.completion(7, 0, 0, 0, 17));
        assertThat(queue.begin()).isEqualTo(1);
        queue.end();
        queue.destroy();
        assertThat(device.log()).endsWith("destroy completion queue", "unmap");
    }

    @Test
    void resizeKeepsWhatWaits() {
        ProviderCompletionQueue queue = completionQueue();
        var completion = new Completion();
        for (int i = 0; i < 4; i++) {
            device.ring("CQ").produce(FakeKernel.completion(i, 0, 0, 0, 17));
        }
        queue.begin();
        queue.next(completion);
        queue.end();
        queue.resize(20);
        assertThat(device.log()).endsWith("resize completion queue", "map", "unmap");
        assertThat(queue.capacity()).isEqualTo(31);
        assertThat(queue.begin()).isEqualTo(3);
        queue.next(completion);
        assertThat(completion.workRequestId()).isEqualTo(1);
        queue.end();
        queue.destroy();
        assertThat(device.log()).endsWith("destroy completion queue", "unmap");
    }

    @Test
    void resizeThatTheKernelRefusesChangesNothing() {
        ProviderCompletionQueue queue = completionQueue();
        device.ring("CQ").produce(FakeKernel.completion(1, 0, 0, 0, 17));
        device.fail("resize completion queue", 1);
        assertThatExceptionOfType(VerbsException.class).isThrownBy(() -> queue.resize(20));
        assertThat(queue.capacity()).isEqualTo(7);
        assertThat(queue.begin()).isEqualTo(1);
    }

    @Test
    void completionQueueThatLostItsRingSaysSoUntilAnotherResize() {
        ProviderCompletionQueue queue = completionQueue();
        var completion = new Completion();
        device.ring("CQ").produce(FakeKernel.completion(1, 0, 0, 0, 17));
        device.ring("CQ").produce(FakeKernel.completion(2, 0, 0, 0, 17));
        assertThat(queue.begin()).isEqualTo(2);
        queue.next(completion);
        queue.end();
        device.fail("map", 1);
        assertThatExceptionOfType(VerbsException.class).isThrownBy(() -> queue.resize(20));
        assertThatIllegalStateException()
                .isThrownBy(queue::begin)
                .withMessageContaining("has lost its ring: a resize failed midway");
        assertThatIllegalStateException().isThrownBy(() -> queue.next(completion));
        queue.end();
        device.ring("CQ").produce(FakeKernel.completion(3, 0, 0, 0, 17));
        queue.resize(20);
        assertThat(queue.begin()).isEqualTo(2);
        queue.next(completion);
        assertThat(completion.workRequestId()).isEqualTo(2);
        queue.next(completion);
        assertThat(completion.workRequestId()).isEqualTo(3);
        queue.destroy();
        assertThat(device.log().stream().filter("unmap"::equals)).hasSize(2);
    }

    @Test
    void queuePairMapsBothRingsAndSaysWhatTheyHold() {
        ProviderQueuePair pair = queuePair(null);
        assertThat(pair.number()).isEqualTo(17);
        assertThat(pair.capabilities()).isEqualTo(new QueuePairCapabilities(15, 7, 2, 1, 32));
        pair.sendOps().begin();
        assertThat(pair.sendOps().post(SendRequest.of(1, 0).operation(SEND), 0, 8, 0)).isEqualTo(PostResult.POSTED);
        pair.sendOps().publish();
        assertThat(pair.sendOps().doorbell()).isZero();
        assertThat(device.ring("SQ").waiting()).isEqualTo(1);
        pair.destroy();
        assertThat(device.log()).containsExactly("create queue pair", "map", "map", "post send", "destroy queue pair",
                "unmap", "unmap");
        assertThatIllegalStateException().isThrownBy(() -> pair.sendOps().doorbell());
    }

    @Test
    void queuePairWithASharedReceiveQueueMapsOneRing() {
        ProviderSharedReceiveQueue shared = sharedReceiveQueue();
        ProviderQueuePair pair = queuePair(shared);
        assertThat(pair.receiveOps()).isNull();
        assertThat(pair.capabilities()).isEqualTo(new QueuePairCapabilities(15, 0, 2, 0, 32));
        pair.destroy();
        assertThat(device.log()).containsExactly("create queue pair", "map", "destroy queue pair", "unmap");
    }

    @Test
    void queuePairWithOneRingIsNotKept() {
        completionQueue();
        device.fail("map", 3);
        assertThatExceptionOfType(VerbsException.class).isThrownBy(() -> queuePair(null));
        assertThat(device.log()).containsExactly("create queue pair", "map", "map fails", "unmap",
                "destroy queue pair");
    }

    @Test
    void doorbellPassesOnWhatTheKernelSays() {
        ProviderQueuePair pair = queuePair(null);
        device.fail("post send", 1);
        assertThat(pair.sendOps().doorbell()).isEqualTo(-Errno.ENOMEM);
    }

    @Test
    void sharedReceiveQueueIsResizedUnderItsOps() {
        ProviderSharedReceiveQueue shared = sharedReceiveQueue();
        ReceiveQueueOps ops = shared.receiveOps();
        assertThat(shared.number()).isEqualTo(4711);
        assertThat(ops.capacity()).isEqualTo(7);
        ops.begin();
        for (int i = 0; i < 7; i++) {
            assertThat(ops.receive(i, 0, 8, 1)).isEqualTo(PostResult.POSTED);
        }
        assertThat(ops.receive(7, 0, 8, 1)).isEqualTo(PostResult.QUEUE_FULL);
        ops.publish();
        shared.resize(20);
        assertThat(ops.capacity()).isEqualTo(31);
        assertThat(ops.receive(7, 0, 8, 1)).isEqualTo(PostResult.POSTED);
        ops.publish();
        assertThat(device.ring("SRQ").waiting()).isEqualTo(8);
        for (int i = 0; i < 8; i++) {
            assertThat(device.ring("SRQ").take()[0]).isEqualTo((byte) i);
        }
        shared.destroy();
        assertThat(device.log())
                .containsExactly("create shared receive queue", "map", "modify shared receive queue", "map", "unmap",
                        "destroy shared receive queue", "unmap");
    }

    @Test
    void sharedReceiveQueueThatLostItsRingSaysSoUntilAnotherResize() {
        ProviderSharedReceiveQueue shared = sharedReceiveQueue();
        ReceiveQueueOps ops = shared.receiveOps();
        ops.receive(1, 0, 8, 1);
        ops.publish();
        device.fail("map", 1);
        assertThatExceptionOfType(VerbsException.class).isThrownBy(() -> shared.resize(20));
        assertThatIllegalStateException().isThrownBy(ops::begin).withMessageContaining("has lost its ring");
        assertThatIllegalStateException()
                .isThrownBy(() -> ops.receive(2, 0, 8, 1))
                .withMessageContaining("has lost its ring");
        shared.resize(20);
        ops.begin();
        ops.receive(2, 0, 8, 1);
        ops.publish();
        assertThat(device.ring("SRQ").waiting()).isEqualTo(2);
        shared.destroy();
        assertThat(device.log()).endsWith("destroy shared receive queue", "unmap");
    }

    @Test
    void roomForIncomingReadsIsNeverRaised() {
        ProviderQueuePair pair = queuePair(null);
        device.log().clear();
        pair.modify(incomingReads(5)); // room for 8
        pair.modify(incomingReads(8));
        assertThatExceptionOfType(NotSupportedException.class)
                .isThrownBy(() -> pair.modify(incomingReads(9)))
                .withMessageContaining("from 8 to 16");
        pair.modify(incomingReads(0));
        assertThatExceptionOfType(NotSupportedException.class).isThrownBy(() -> pair.modify(incomingReads(1)));
        assertThat(device.log()).containsExactly("modify queue pair", "modify queue pair", "modify queue pair");
    }

    private static QueuePairAttributes incomingReads(int count) {
        return QueuePairAttributes.builder().maxDestinationReadAtomic(count).build();
    }

    @Test
    void everythingIsGivenUpWhenTheDeviceIsGone() {
        ProviderSharedReceiveQueue shared = sharedReceiveQueue();
        ProviderQueuePair pair = queuePair(null);
        ProviderCompletionQueue queue = completionQueue();
        device.log().clear();
        device.remove();

        assertThatExceptionOfType(DeviceGoneException.class).isThrownBy(() -> pair.query(1));
        assertThatExceptionOfType(DeviceGoneException.class).isThrownBy(() -> queue.resize(20));
        assertThatExceptionOfType(DeviceGoneException.class).isThrownBy(this::completionQueue);
        assertThat(queue.begin()).as("what has arrived can still be polled").isZero();
        queue.end();

        pair.destroy();
        queue.destroy();
        shared.destroy();
        domain.deallocate();
        assertThat(device.log()).containsExactly("unmap", "unmap", "unmap", "unmap");
    }

    @Test
    void contextThatCannotBeAskedIsNotKept() {
        device.fail("query port", 1);
        assertThatExceptionOfType(VerbsException.class).isThrownBy(() -> new RxeProviderFactory().open(channel));
        assertThat(device.log()).endsWith("query port fails", "close events");
    }

    @Test
    void factoryMatchesTheKernelsDriver() {
        var factory = new RxeProviderFactory();
        assertThat(factory.name()).isEqualTo("rxe");
        assertThat(factory.driverId()).isEqualTo(14);
        assertThat(factory.minimumAbiVersion()).isEqualTo(1);
        assertThat(factory.maximumAbiVersion()).isEqualTo(2);
        assertThat(context.providerName()).isEqualTo("rxe");
        assertThat(context.maxInlineData()).isEqualTo(512);
    }
}
