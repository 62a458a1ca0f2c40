// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.queuepair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.CompletionRecord;
import io.verbs4j.FlushLevel;
import io.verbs4j.FlushType;
import io.verbs4j.GlobalRouteHeader;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.PreparedSend;
import io.verbs4j.QueuePair;
import io.verbs4j.RemoteMemory;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.tests.support.AnyDevice;
import io.verbs4j.tests.support.AnyDevice.NotOverMlx5;
import io.verbs4j.tests.support.AnyDevice.NotOverSiw;
import io.verbs4j.tests.support.Completions;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.End;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tests.support.TestBytes;
import io.verbs4j.types.Access;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.CompletionOpcode;
import io.verbs4j.types.NotSupportedException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Work requests that are encoded once, changed in single fields and posted again and again: what arrives is what was set, and
/// nothing of earlier posts.
@AnyDevice
@DeviceTest
@Covers("ibv_post_send")
@Needs.EachKernel
class PreparedSendIT {
    private static final int CAPACITY = 15;
    private static final int QKEY = 0x1234;

    private final ConnectedPair pair = ConnectedPair.onOneDevice()
            .both(builder -> builder.maxSends(CAPACITY)
                    .maxReceives(CAPACITY)
                    .maxSendScatterGather(4)
                    .maxInlineData(64)
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
    void writesAnotherPieceAtEachPost() {
        TestBytes.fill(left.bytes(0, 4096), 1);
        var write = prepare(SendWorkRequest.rdmaWrite(remote, left.memory().slice(0, 64)).withSignal());
        for (int piece = 0; piece < 64; piece++) {
            assertThat(write.workRequestId(piece).range(64L * piece, 64, 64L * (63 - piece)).post()).isTrue();
            assertThat(left.completions().nextSuccess().workRequestId()).isEqualTo(piece);
        }
        for (int piece = 0; piece < 64; piece++) {
            byte[] sent = left.bytes(64L * piece, 64).toArray(ValueLayout.JAVA_BYTE);
            left.settle(remote);
            TestBytes.assertSame(right.bytes(64L * (63 - piece), 64), sent);
        }
    }

    @Test
    void goesWithOthersInABatchAndKeepsWhatItHadWhenItWasPosted() {
        TestBytes.fill(left.bytes(0, 300), 2);
        var write = prepare(SendWorkRequest.rdmaWrite(remote, left.memory().slice(0, 100)).withSignal());
        try (var batch = left.queuePair().beginSend()) {
            assertThat(batch.post(write.workRequestId(1).local(0, 100))).isTrue();
            assertThat(batch.signaled().workRequestId(2).rdmaWrite(left.memory(), 100, 100, remote, 100)).isTrue();
            assertThat(batch.post(write.workRequestId(3).range(200, 100, 200))).isTrue();
            assertThat(batch.post(write.workRequestId(4).range(0, 0, 0).signaled(false))).isTrue();
            assertThat(batch.post(write.workRequestId(5).fence(true).signaled(true))).isTrue();
            write.workRequestId(99).range(1000, 2000, 3000);
            left.completions().assertNone();
            assertThat(batch.submit()).isEqualTo(5);
        }
        assertThat(left.completions().nextSuccesses(4))
                .extracting(CompletionRecord::workRequestId)
                .containsExactly(1L, 2L, 3L, 5L);
        left.completions().assertNone();
        left.settle(remote);
        TestBytes.assertHolds(right.bytes(0, 300), 2);
        assertThat(right.bytes(300, 8000).mismatch(MemorySegment.ofArray(new byte[8000]))).isEqualTo(-1);
    }

    @Test
    void postsNothingOfABatchThatIsAbandoned() {
        var write = prepare(SendWorkRequest.rdmaWrite(remote, left.memory().slice(0, 8)).withSignal());
        try (var batch = left.queuePair().beginSend()) {
            batch.post(write.workRequestId(1));
        }
        write.workRequestId(2).post();
        assertThat(left.completions().nextSuccess().workRequestId()).isEqualTo(2);
        left.completions().assertNone();
    }

    @NotOverSiw("iWARP has no immediate data")
    @Test
    void sendsOtherImmediateDataEachTime() {
        TestBytes.fill(left.bytes(0, 32), 3);
        var send = prepare(SendWorkRequest.sendWithImmediate(1, left.memory().slice(0, 32)).withSolicited());
        var write =
                prepare(SendWorkRequest.rdmaWriteWithImmediate(1, remote.slice(512, 64), left.memory().slice(0, 32)));
        right.receive(1, 0, 64);
        right.receive(2, 100, 64);
        right.receive(3, 0, 0);
        send.immediateData(-7).post();
        send.immediateData(0x01020304).local(16, 16).post();
        write.immediateData(Integer.MIN_VALUE).remote(8).post();
        assertThat(right.completions().nextSuccesses(3))
                .extracting(CompletionRecord::immediateDataOrKey, CompletionRecord::byteLength)
                .containsExactly(tuple(-7, 32), tuple(0x01020304, 16), tuple(Integer.MIN_VALUE, 32));
        TestBytes.assertHolds(right.bytes(0, 32), 3);
        TestBytes.assertSame(right.bytes(100, 16), left.bytes(16, 16).toArray(ValueLayout.JAVA_BYTE));
        TestBytes.assertHolds(right.bytes(520, 32), 3);
        left.completions().assertNone();
    }

    @Test
    void readsIntoOtherPlaces() {
        TestBytes.fill(right.bytes(0, 256), 4);
        var read = prepare(SendWorkRequest.rdmaRead(remote, left.memory().slice(0, 64)).withSignal());
        for (int piece = 0; piece < 4; piece++) {
            read.range(1000 + 64L * piece, 64, 64L * piece).post();
        }
        left.completions().nextSuccesses(4);
        TestBytes.assertHolds(left.bytes(1000, 256), 4);
    }

    @NotOverSiw("no atomics")
    @Test
    void addsAndSwapsOtherOperands() {
        var add = prepare(SendWorkRequest.fetchAndAdd(left.memory().slice(0, 8), remote, 0).withSignal());
        var swap = prepare(SendWorkRequest.compareAndSwap(left.memory().slice(512, 8), remote, 0, 0).withSignal());
        for (int i = 0; i < 10; i++) {
            add.addend(i).local(8L * i, 8).remote(64).post();
        }
        left.completions().nextSuccesses(10);
        swap.remote(64).operands(45, -45).post();
        left.completions().nextSuccess();
        swap.local(520, 8).operands(45, 1).post();
        left.completions().nextSuccess();
        assertThat(LongStream.range(0, 10).map(i -> left.bytes(8 * i, 8).get(ValueLayout.JAVA_LONG, 0)))
                .containsExactly(0L, 0L, 1L, 3L, 6L, 10L, 15L, 21L, 28L, 36L);
        assertThat(left.bytes(512, 8).get(ValueLayout.JAVA_LONG, 0)).isEqualTo(45);
        assertThat(left.bytes(520, 8).get(ValueLayout.JAVA_LONG, 0)).isEqualTo(-45);
        assertThat(right.bytes(64, 8).get(ValueLayout.JAVA_LONG, 0)).isEqualTo(-45);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 15, 16, 17, 33, 64})
    void carriesOtherInlinePayloads(int length) {
        var write = prepare(SendWorkRequest.rdmaWriteInline(remote, MemorySegment.ofArray(TestBytes.of(9, 64)))
                .withSignal());
        assertThat(write.post()).isTrue();
        byte[] heap = TestBytes.of(length, length + 5);
        assertThat(write.payload(MemorySegment.ofArray(heap), 5, length).remote(100).post()).isTrue();
        left.completions().nextSuccesses(2);
        left.settle(remote);
        TestBytes.assertHolds(right.bytes(0, 64), 9);
        TestBytes.assertSame(right.bytes(100, length), Arrays.copyOfRange(heap, 5, length + 5));
        assertThat(right.bytes(100 + length, 64).mismatch(MemorySegment.ofArray(new byte[64]))).isEqualTo(-1);
    }

    @Test
    void gathersTheSameBuffersToOtherPlaces() {
        TestBytes.fill(left.bytes(0, 300), 5);
        var memory = left.memory();
        var write = prepare(SendWorkRequest.rdmaWrite(
                remote, memory.slice(0, 50), memory.slice(50, 0), memory.slice(50, 150), memory.slice(200, 100))
                .withSignal());
        write.remote(1000).post();
        write.remote(2000).post();
        left.completions().nextSuccesses(2);
        left.settle(remote);
        TestBytes.assertHolds(right.bytes(1000, 300), 5);
        TestBytes.assertHolds(right.bytes(2000, 300), 5);
        assertThatThrownBy(() -> write.local(0, 8))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("4 buffers");
        assertThatThrownBy(() -> write.remote(remote.length() - 299)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @NotOverSiw("no atomics")
    @Test
    @NotOverMlx5("neither atomic writes nor flushes")
    void writesOtherValuesAtomicallyAndFlushesThem() {
        assumeTrue(Kernel.hasFlushAndAtomicWrite(), "this kernel has no flush and atomic write");
        var write = prepare(SendWorkRequest.atomicWrite(1, remote).withSignal());
        for (int i = 0; i < 5; i++) {
            write.value(i - 2).remote(8L * i).post();
        }
        left.completions().nextSuccesses(5);
        assertThat(LongStream.range(0, 5).map(i -> right.bytes(8 * i, 8).get(ValueLayout.JAVA_LONG, 0)))
                .containsExactly(-2L, -1L, 0L, 1L, 2L);
        assertThatThrownBy(() -> write.remote(4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("multiple of 8");
    }

    @NotOverSiw("no datagrams")
    @Test
    @NotOverMlx5("the card refuses a datagram that is longer than the path's MTU, and the provider does not")
    void sendsDatagramsToOtherDestinations() {
        var path = AddressVector.roce(1, Rxe.IPV4_INDEX, Rxe.gid(1));
        var domain = left.domain();
        try (
                var queue = left.context().createCompletionQueue(CompletionQueueOptions.entries(64));
                var sender = domain.datagram(queue).qkey(QKEY).maxInlineData(64).prepare().start();
                var first = domain.datagram(queue).qkey(QKEY).prepare().start();
                var second = domain.datagram(queue).qkey(QKEY + 1).prepare().start();
                var handle = domain.createAddressHandle(path)) {
            var other = domain.createAddressHandle(path);
            var completions = new Completions(queue, left::toString);
            TestBytes.fill(left.bytes(0, 64), 6);
            for (var receiver : new QueuePair[]{first, second}) {
                try (var batch = receiver.beginReceive()) {
                    batch.workRequestId(receiver.number()).receive(left.memory(), 1000, 200);
                    batch.submit();
                }
            }
            var send = sender.prepare(
                    SendWorkRequest.send(left.memory().slice(0, 64)).withDestination(handle, first.number(), QKEY));
            assertThat(send.post()).isTrue();
            var received = completions.nextSuccess();
            assertThat(received.workRequestId()).isEqualTo(first.number());
            assertThat(received.byteLength()).isEqualTo(GlobalRouteHeader.BYTES + 64);
            TestBytes.assertHolds(left.bytes(1000 + GlobalRouteHeader.BYTES, 64), 6);

            assertThat(send.to(other, second.number(), QKEY + 1).local(0, 32).post()).isTrue();
            received = completions.nextSuccess();
            assertThat(received.workRequestId()).isEqualTo(second.number());
            assertThat(received.byteLength()).isEqualTo(GlobalRouteHeader.BYTES + 32);

            assertThatThrownBy(() -> send.local(0, 4096).post())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("MTU");
            send.local(0, 32);
            other.close();
            assertThatThrownBy(send::post)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is closed");
            assertThatThrownBy(() -> sender.prepare(SendWorkRequest.send(left.memory().slice(0, 8))))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("destination");
        }
    }

    @NotOverSiw("a queue has a power of two of slots, so none has 15")
    @Test
    @NotOverMlx5("a send queue of another capacity, which the provider kit fills")
    void saysThatTheQueueIsFull() {
        var write = prepare(SendWorkRequest.rdmaWrite(remote, left.memory().slice(0, 8)).withSignal());
        for (int round = 0; round < 3; round++) {
            try (var batch = left.queuePair().beginSend()) {
                for (int i = 0; i < CAPACITY; i++) {
                    assertThat(batch.post(write)).isTrue();
                }
                assertThat(batch.post(write)).as("room").isFalse();
                assertThat(batch.submit()).isEqualTo(CAPACITY);
            }
            left.completions().nextSuccesses(CAPACITY);
        }
    }

    @Test
    void isPreparedBeforeItsQueuePairIsReady() {
        try (var prepared = left.domain().reliableConnection(left.queue()).create()) {
            var write = prepared.prepare(SendWorkRequest.rdmaWrite(remote, left.memory().slice(0, 8)));
            assertThatThrownBy(write::post).isInstanceOf(IllegalStateException.class).hasMessageContaining("RESET");
        }
    }

    @Test
    void isRefusedByOtherQueuePairs() {
        var write = prepare(SendWorkRequest.rdmaWrite(remote, left.memory().slice(0, 8)));
        try (var batch = right.queuePair().beginSend()) {
            assertThatThrownBy(() -> batch.post(write))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("another queue pair");
            assertThat(batch.submit()).isZero();
        }
    }

    @Test
    void isNotPostedWithModifiersOfTheBatch() {
        var write = prepare(SendWorkRequest.rdmaWrite(remote, left.memory().slice(0, 8)));
        try (var batch = left.queuePair().beginSend()) {
            batch.signaled();
            assertThatThrownBy(() -> batch.post(write))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("modifiers");
        }
    }

    @Test
    void isNotPostedWhenItsRegionIsClosed() {
        MemoryRegion region = left.domain().allocate(4096, Access.LOCAL_WRITE);
        var write = prepare(SendWorkRequest.rdmaWrite(remote, region.slice(0, 8), left.memory().slice(0, 8))
                .withSignal());
        write.post();
        left.completions().nextSuccess(); // the device uses the region no more
        region.close();
        assertThatThrownBy(write::post).isInstanceOf(IllegalStateException.class).hasMessageContaining("is closed");
        assertUsable();
    }

    @Test
    void isNotPostedWhenTheMemoryOfItsRegionIsFreed() {
        var arena = Arena.ofShared();
        try (var region = left.domain().register(arena.allocate(4096, 4096), Access.LOCAL_WRITE)) {
            var write = prepare(SendWorkRequest.rdmaWrite(remote, region.slice(0, 8)));
            arena.close();
            assertThatThrownBy(write::post).isInstanceOf(IllegalStateException.class).hasMessageContaining("freed");
            assertThatThrownBy(() -> write.local(8, 8)).isInstanceOf(IllegalStateException.class);
        }
        assertUsable();
    }

    @NotOverSiw("no atomics")
    @Test
    void isNotPreparedForWhatTheKernelLacks() {
        assumeFalse(Kernel.hasFlushAndAtomicWrite(), "this kernel has flush and atomic write");
        assertThatThrownBy(() -> prepare(SendWorkRequest.atomicWrite(1, remote)))
                .isInstanceOf(NotSupportedException.class);
        assertThatThrownBy(() -> prepare(SendWorkRequest.flush(remote, FlushType.GLOBAL_VISIBILITY, FlushLevel.RANGE)))
                .isInstanceOf(NotSupportedException.class);
    }

    @NotOverSiw("a region keeps its rights")
    @Test
    void isPreparedAgainWhenItsRegionChangesItsRights() {
        assumeTrue(Kernel.hasReregistration(), "this kernel has no re-registration");
        var request = SendWorkRequest.rdmaRead(remote, left.memory().slice(0, 8)).withSignal();
        var read = prepare(request);
        left.memory().changeAccess(Access.LOCAL_WRITE);
        assertThatThrownBy(read::post)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("prepare it again");
        assertThat(prepare(request).post()).isTrue();
        left.completions().nextSuccess();
        left.memory().changeAccess();
        assertThatThrownBy(() -> prepare(request))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("LOCAL_WRITE");
    }

    @Test
    void isNotPostedWhenItsQueuePairIsClosed() {
        var write = prepare(SendWorkRequest.rdmaWrite(remote, left.memory().slice(0, 8)));
        left.queuePair().close();
        assertThatThrownBy(write::post).isInstanceOf(IllegalStateException.class).hasMessageContaining("is closed");
        write.workRequestId(3).local(8, 8); // changes nothing but itself
        assertThatThrownBy(() -> prepare(SendWorkRequest.localInvalidate(1))).isInstanceOf(IllegalStateException.class);
    }

    @NotOverSiw("no atomics")
    @Test
    void staysAsItWasWhenAChangeIsRefused() {
        TestBytes.fill(left.bytes(0, 16), 7);
        var write = prepare(SendWorkRequest.rdmaWrite(remote.slice(0, 100), left.memory().slice(0, 16)).withSignal());
        long end = left.memory().length();
        assertThatThrownBy(() -> write.local(end - 15, 16)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> write.local(-1, 16)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> write.local(0, -1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> write.local(0, 101)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> write.remote(85)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> write.remote(-1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> write.range(0, 50, 51)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> write.immediateData(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> write.addend(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> write.operands(1, 2)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> write.value(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> write.invalidatedKey(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> write.payload(MemorySegment.ofArray(new byte[8])))
                .isInstanceOf(IllegalStateException.class);
        assertThat(write.post()).isTrue();
        left.completions().nextSuccess();
        TestBytes.assertHolds(right.bytes(0, 16), 7);
        assertThat(right.bytes(16, 200).mismatch(MemorySegment.ofArray(new byte[200]))).isEqualTo(-1);

        var add = prepare(SendWorkRequest.fetchAndAdd(left.memory().slice(64, 8), remote, 1).withSignal());
        assertThatThrownBy(() -> add.range(128, 8, 1028)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> add.local(128, 16)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> add.operands(1, 2)).isInstanceOf(IllegalStateException.class);
        left.bytes(64, 8).set(ValueLayout.JAVA_LONG, 0, -1);
        add.remote(1024).post();
        left.completions().nextSuccess();
        assertThat(left.bytes(64, 8).get(ValueLayout.JAVA_LONG, 0)).isZero();
    }

    @Test
    void keepsItsNewLengthWithinOtherRemoteMemory() {
        var write = prepare(SendWorkRequest.rdmaWrite(remote.slice(0, 100), left.memory().slice(0, 16)).withSignal());
        write.local(0, 50).remote(50);
        assertThatThrownBy(() -> write.remote(51)).isInstanceOf(IndexOutOfBoundsException.class);
        write.range(0, 10, 0).remote(90);
        assertThatThrownBy(() -> write.remote(91)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @NotOverSiw("no atomics")
    @Test
    void keepsThePartThatWasSetLastWhenARangeIsRefused() {
        var add = prepare(SendWorkRequest.fetchAndAdd(left.memory().slice(64, 8), remote, 1).withSignal());
        add.local(72, 8);
        assertThatThrownBy(() -> add.range(128, 8, 1028)).isInstanceOf(IllegalArgumentException.class);
        left.bytes(64, 16).fill((byte) -1);
        add.post();
        left.completions().nextSuccess();
        assertThat(left.bytes(64, 8).get(ValueLayout.JAVA_LONG, 0)).isEqualTo(-1);
        assertThat(left.bytes(72, 8).get(ValueLayout.JAVA_LONG, 0)).isZero();
    }

    @NotOverSiw("no memory windows")
    @Test
    @NotOverMlx5("more room for inline data than was asked for")
    void isNotMadeOfWhatIsNotValid() {
        var elsewhere = right.memory();
        var bad = SendWorkRequest.rdmaWrite(remote, elsewhere.slice(0, 8));
        assertThatThrownBy(() -> prepare(bad))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("another protection domain");
        assertThatThrownBy(() -> prepare(SendWorkRequest.sendInline(MemorySegment.ofArray(new byte[65]))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("inline");
        try (var window = left.domain().allocateMemoryWindow(MemoryWindow.Type.TYPE_2)) {
            int key = window.remoteKey();
            assertThatThrownBy(() -> prepare(SendWorkRequest.bind(window, left.memory().slice(0, 8), 0)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("cannot be prepared");
            assertThat(window.remoteKey()).isEqualTo(key);
        }
    }

    @Test
    void reportsWhatCompleted() {
        right.receive(1, 0, 64);
        var send = prepare(SendWorkRequest.send(left.memory().slice(0, 8)).withSignal().withId(41));
        send.post();
        var completion = left.completions().nextSuccess();
        assertThat(completion.workRequestId()).isEqualTo(41);
        assertThat(completion.opcode()).isEqualTo(CompletionOpcode.SEND);
        assertThat(send).hasToString("prepared SEND of " + left.queuePair());
    }

    private PreparedSend prepare(SendWorkRequest request) {
        return left.queuePair().prepare(request);
    }

    private void assertUsable() {
        left.post(batch -> batch.signaled().workRequestId(77).rdmaWrite(left.memory(), 0, 8, remote, 0));
        assertThat(left.completions().nextSuccess().workRequestId()).isEqualTo(77);
    }
}
