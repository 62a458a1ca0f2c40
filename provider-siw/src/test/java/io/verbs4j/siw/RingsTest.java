// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.siw;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.verbs4j.spi.Completion;
import io.verbs4j.spi.SendRequest;
import io.verbs4j.types.NotSupportedException;
import io.verbs4j.types.RingReading;
import io.verbs4j.types.ScatterGatherList;
import io.verbs4j.types.SendFlags;
import io.verbs4j.types.WorkRequestOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The rings against a kernel side that is simulated here, with its own offsets from siw-abi.h.
class RingsTest {
    private static final int SLOTS = 4;
    private static final int SQE = 120;
    private static final int RQE = 112;
    private static final int CQE = 32;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment sends = arena.allocate(SLOTS * SQE, 4096).fill((byte) 0);
    private final SiwSendRing ring = ring(sends, SLOTS);

    @AfterEach
    void close() {
        arena.close();
    }

    private static SiwSendRing ring(MemorySegment memory, int slots) {
        return new SiwSendRing(memory, slots, SiwSendRing.limits(6, 80, Integer.MAX_VALUE), false, () -> 0);
    }

    /// Posts a batch of sends with identifiers from `first` on.
    private static void send(SiwSendRing ring, int first, int count) {
        ring.begin();
        for (int i = 0; i < count; i++) {
            ring.post(SendRequest.of(first + i, 0).operation(WorkRequestOpcode.SEND), 0, 0, 0);
        }
    }

    @Test
    void writesEveryFieldOfAWrite() {
        ring.begin();
        ring.post(SendRequest.of(11, SendFlags.SIGNALED | SendFlags.FENCE)
                .operation(WorkRequestOpcode.RDMA_WRITE)
                .remote(0x1234_5678_9abcL, 0x80000001), 0x7000, 64, 0xabc);
        assertThat(flags(0)).as("before it is published").isEqualTo(4 | 16);
        assertThat(ring.publish()).isEqualTo(1);
        assertThat(sends.get(JAVA_LONG, 0)).isEqualTo(11);
        assertThat(flags(0)).isEqualTo(1 | 4 | 16);
        assertThat(sends.get(JAVA_BYTE, 10)).as("num_sge").isEqualTo((byte) 1);
        assertThat(sends.get(JAVA_BYTE, 11)).as("opcode").isEqualTo((byte) 0);
        assertThat(sends.get(JAVA_INT, 12)).as("rkey").isEqualTo(0x80000001);
        assertThat(sends.get(JAVA_LONG, 16)).as("raddr").isEqualTo(0x1234_5678_9abcL);
        assertThat(sends.get(JAVA_LONG, 24)).as("laddr").isEqualTo(0x7000);
        assertThat(sends.get(JAVA_INT, 32)).as("length").isEqualTo(64);
        assertThat(sends.get(JAVA_INT, 36)).as("lkey").isEqualTo(0xabc);
    }

    @Test
    void numbersTheOperationsAsSiwDoes() {
        ring.begin();
        ring.post(SendRequest.of(1, SendFlags.SOLICITED).operation(WorkRequestOpcode.SEND), 0, 0, 0);
        ring.post(SendRequest.of(2, 0).operation(WorkRequestOpcode.SEND_WITH_INVALIDATE).immediateDataOrKey(77), 0, 1,
                0);
        ring.post(SendRequest.of(3, 0).operation(WorkRequestOpcode.RDMA_READ).remote(8, 9), 0, 0, 0);
        ring.publish();
        assertThat(sends.get(JAVA_BYTE, 11)).isEqualTo((byte) 3);
        assertThat(sends.get(JAVA_BYTE, 10)).as("buffers of an empty send").isEqualTo((byte) 0);
        assertThat(flags(0)).isEqualTo(1 | 8);
        assertThat(sends.get(JAVA_BYTE, SQE + 11)).isEqualTo((byte) 5);
        assertThat(sends.get(JAVA_INT, SQE + 12)).as("the key to invalidate").isEqualTo(77);
        assertThat(sends.get(JAVA_BYTE, 2 * SQE + 11)).isEqualTo((byte) 1);
        assertThat(sends.get(JAVA_BYTE, 2 * SQE + 10)).as("buffers of an empty read").isEqualTo((byte) 1);
    }

    @Test
    void leavesOutEmptyBuffersForWhichTheKernelHasNoMemory() {
        var list = new ScatterGatherList().add(0x1000, 0, 1).add(0x2000, 50, 2).add(0x3000, 0, 3).add(0x4000, 60, 4);
        ring.begin();
        ring.post(SendRequest.of(1, 0).operation(WorkRequestOpcode.RDMA_WRITE).remote(8, 9), list);
        ring.post(SendRequest.of(2, 0).operation(WorkRequestOpcode.SEND), new ScatterGatherList().add(0x1000, 0, 1));
        ring.post(
                SendRequest.of(3, 0).operation(WorkRequestOpcode.RDMA_READ).remote(8, 9),
                new ScatterGatherList().add(0x1000, 0, 1));
        sends.asSlice(3 * SQE + 24, 16).fill((byte) -1);
        ring.post(SendRequest.of(4, 0).operation(WorkRequestOpcode.RDMA_READ).remote(8, 9), new ScatterGatherList());
        ring.publish();
        assertThat(sends.get(JAVA_BYTE, 10)).as("num_sge").isEqualTo((byte) 2);
        assertThat(sends.get(JAVA_LONG, 24)).isEqualTo(0x2000);
        assertThat(sends.get(JAVA_INT, 32)).isEqualTo(50);
        assertThat(sends.get(JAVA_LONG, 40)).isEqualTo(0x4000);
        assertThat(sends.get(JAVA_INT, 48)).isEqualTo(60);
        assertThat(sends.get(JAVA_INT, 52)).isEqualTo(4);
        assertThat(sends.get(JAVA_BYTE, SQE + 10)).as("buffers of an empty send").isEqualTo((byte) 0);
        assertThat(sends.get(JAVA_BYTE, 2 * SQE + 10)).as("buffers of an empty read").isEqualTo((byte) 1);
        assertThat(sends.get(JAVA_BYTE, 3 * SQE + 10)).as("buffers of a read of no list").isEqualTo((byte) 1);
        assertThat(sends.asSlice(3 * SQE + 24, 16).toArray(JAVA_BYTE)).containsOnly(0);
    }

    @Test
    void inlinePayloadStandsBehindTheFirstBuffer() {
        byte[] payload = new byte[80];
        payload[0] = 1;
        payload[79] = 2;
        sends.set(JAVA_LONG, 24, -1);
        sends.set(JAVA_INT, 36, -1);
        ring.begin();
        ring.postInline(SendRequest.of(1, 0).operation(WorkRequestOpcode.SEND), MemorySegment.ofArray(payload), 0,
                payload.length);
        ring.publish();
        assertThat(flags(0)).isEqualTo(1 | 2);
        assertThat(sends.get(JAVA_BYTE, 10)).as("num_sge").isEqualTo((byte) 1);
        assertThat(sends.get(JAVA_LONG, 24)).as("laddr").isZero();
        assertThat(sends.get(JAVA_INT, 32)).isEqualTo(80);
        assertThat(sends.get(JAVA_INT, 36)).as("lkey").isZero();
        assertThat(sends.asSlice(40, 80).toArray(JAVA_BYTE)).isEqualTo(payload);
        assertThat(sends.get(JAVA_LONG, SQE)).as("the next element").isZero();
    }

    @Test
    void whatTheKernelLeavesIsTakenInOrderAcrossTheEndOfTheRing() {
        for (int start = 0; start < SLOTS; start++) {
            for (int kept = 0; kept <= SLOTS; kept++) {
                var taken = new ArrayList<Long>();
                SiwSendRing stopped = ring(sends.fill((byte) 0), SLOTS);
                send(stopped, 0, start);
                stopped.publish();
                kernelTakes(0, start);
                send(stopped, 10, SLOTS);
                assertThat(stopped.publish()).isEqualTo(SLOTS);
                kernelTakes(start, SLOTS - kept);
                stopped.takeAll((id, opcode) -> {
                    assertThat(opcode).isEqualTo(3);
                    taken.add(id);
                });
                assertThat(taken).isEqualTo(LongStream.range(10 + SLOTS - kept, 10 + SLOTS).boxed().toList());
                taken.clear();
                for (int later = 0; later <= SLOTS; later++) {
                    send(stopped, 20, later);
                    assertThat(stopped.publish()).isEqualTo(later);
                    stopped.takeAll((id, _) -> taken.add(id));
                    assertThat(taken).isEqualTo(LongStream.range(20, 20 + later).boxed().toList());
                    taken.clear();
                }
            }
        }
    }

    private void kernelTakes(int first, int count) {
        for (int i = 0; i < count; i++) {
            sends.set(JAVA_SHORT, (long) ((first + i) % SLOTS) * SQE + 8, (short) 0);
        }
    }

    /// Of the batch, only the last flag has been set so far.
    @Test
    void aBatchThatAnotherThreadPublishesIsTakenAsAWhole() {
        var taken = new ArrayList<Long>();
        ring.takeAll((_, _) -> {});
        send(ring, 1, SLOTS);
        sends.set(JAVA_SHORT, (SLOTS - 1) * SQE + 8, (short) 1);
        ring.takeAll((id, _) -> taken.add(id));
        assertThat(taken).isEmpty();
        ring.publish();
        ring.takeAll((id, _) -> taken.add(id));
        assertThat(taken).containsExactly(1L, 2L, 3L, 4L);
    }

    /// A thread flushes for the first time while another one publishes a batch that fills the ring.
    @Test
    void twoThreadsTakeEachWorkRequestOnceAndInOrder() throws InterruptedException {
        int slots = 1024;
        MemorySegment memory = arena.allocate(slots * SQE, 4096);
        for (int round = 0; round < 500; round++) {
            SiwSendRing flushed = ring(memory.fill((byte) 0), slots);
            var taken = new ArrayList<Long>();
            var flushing = new ReentrantLock();
            var publishing = new AtomicBoolean();
            Runnable flush = () -> {
                flushing.lock();
                try {
                    flushed.takeAll((id, _) -> taken.add(id));
                } finally {
                    flushing.unlock();
                }
            };
            Thread other = Thread.ofPlatform().start(() -> {
                while (!publishing.get()) {
                    Thread.onSpinWait();
                }
                flush.run();
            });
            for (int batch = 0; batch < 2; batch++) {
                send(flushed, batch * slots, slots);
                publishing.set(true);
                for (int i = 0; i < round % 20; i++) {
                    Thread.onSpinWait();
                }
                assertThat(flushed.publish()).isEqualTo(slots);
                flush.run();
            }
            other.join();
            assertThat(taken).isEqualTo(LongStream.range(0, 2L * slots).boxed().toList());
        }
    }

    @Test
    void refusesWhatTheKernelWouldEndTheConnectionFor() {
        ring.begin();
        refused(() -> ring.post(
                SendRequest.of(0, 0).operation(WorkRequestOpcode.SEND_WITH_IMMEDIATE).immediateDataOrKey(1), 0, 0, 0),
                "in a message");
        SendRequest fenced = SendRequest.of(0, SendFlags.FENCE).operation(WorkRequestOpcode.RDMA_READ);
        refused(() -> ring.post(fenced, 0, 1, 0), "FENCE");
        refused(() -> ring.post(fenced, new ScatterGatherList().add(0, 1, 1)), "FENCE");
        refused(() -> ring.post(fenced, new ScatterGatherList()), "FENCE");
        refused(() -> ring.post(SendRequest.of(0, 0)
                .operation(WorkRequestOpcode.FETCH_AND_ADD)
                .remote(0, 0)
                .operands(0, 0), 0, Long.BYTES,
                0), "send a message to the memory's owner");
        refused(() -> ring
                .post(SendRequest.of(0, 0).operation(WorkRequestOpcode.LOCAL_INVALIDATE).immediateDataOrKey(1)),
                "deregister");
        var two = new ScatterGatherList().add(0, 1, 1).add(8, 1, 1);
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> ring.post(SendRequest.of(0, 0).operation(WorkRequestOpcode.RDMA_READ), two))
                .withMessageContaining("post one for each buffer");
        assertThat(ring.publish()).isZero();
    }

    private static void refused(Runnable post, String instead) {
        assertThatExceptionOfType(NotSupportedException.class)
                .isThrownBy(post::run)
                .withMessageContaining(instead);
    }

    @Test
    void receiveHasNoFlagButValid() {
        MemorySegment memory = arena.allocate(SLOTS * RQE, 4096).fill((byte) 0);
        var receives = new SiwReceiveRing(memory, SLOTS, 6);
        receives.begin();
        receives.receive(1, 0x1000, 16, 9);
        receives.receive(2, new ScatterGatherList().add(0x2000, 1, 3).add(0x3000, 2, 4));
        assertThat(receives.publish()).isEqualTo(2);
        assertThat(memory.get(JAVA_LONG_UNALIGNED, 8)).as("flags, num_sge").isEqualTo(1 | 1 << 16);
        assertThat(memory.get(JAVA_LONG, 16)).isEqualTo(0x1000);
        assertThat(memory.get(JAVA_INT, 24)).isEqualTo(16);
        assertThat(memory.get(JAVA_LONG_UNALIGNED, RQE + 8)).as("flags, num_sge").isEqualTo(1 | 2 << 16);
        assertThat(memory.get(JAVA_LONG, RQE + 32)).isEqualTo(0x3000);
        assertThat(memory.get(JAVA_INT, RQE + 44)).isEqualTo(4);
    }

    @Test
    void anEmptyReceiveHasNoBuffer() {
        MemorySegment memory = arena.allocate(SLOTS * RQE, 4096).fill((byte) 0);
        var receives = new SiwReceiveRing(memory, SLOTS, 6);
        receives.begin();
        receives.receive(1, 0, 0, 0);
        assertThat(receives.publish()).isEqualTo(1);
        assertThat(memory.get(JAVA_BYTE, 10)).as("num_sge").isEqualTo((byte) 0);
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> receives.receive(2, 0, -1, 0));
    }

    /// Each ring of four slots, with each position of its oldest element and each fill.
    @Test
    void aSnapshotFindsTheOldestElement() {
        for (int oldest = 0; oldest < SLOTS; oldest++) {
            for (int fill = 0; fill <= SLOTS; fill++) {
                MemorySegment memory = arena.allocate(SLOTS * RQE, 4096).fill((byte) 0);
                for (int slot = 0; slot < SLOTS; slot++) {
                    memory.set(JAVA_LONG, (long) slot * RQE, 50 + slot);
                }
                for (int i = 0; i < fill; i++) {
                    memory.set(JAVA_BYTE, (long) ((oldest + i) % SLOTS) * RQE + 8, (byte) 1);
                }
                RingReading reading = new FlaggedSlots(memory, SLOTS, RQE, 8).read();
                boolean known = fill > 0 && fill < SLOTS; // a full ring may begin anywhere
                int first = known ? oldest : 0;
                assertThat(reading).isEqualTo(new RingReading(
                        SLOTS, fill, fill == 0 ? 0 : (first + fill) % SLOTS, first, fill == 0 ? 0 : 50 + first));
            }
        }
    }

    @Test
    void completionsAreTranslatedAndTheirSlotsGivenBack() {
        MemorySegment memory = arena.allocate(SLOTS * CQE + 8, 4096).fill((byte) 0);
        var completions = new FlaggedCompletionRing(memory, SLOTS);
        var completion = new Completion();
        assertThat(completions.begin()).isZero();
        for (int i = 0; i < 3 * SLOTS; i++) {
            long at = i % SLOTS * CQE;
            memory.set(JAVA_LONG, at, 100 + i);
            memory.set(JAVA_BYTE, at + 9, (byte) 8);
            memory.set(JAVA_SHORT, at + 10, (short) 4);
            memory.set(JAVA_INT, at + 12, 55);
            memory.set(JAVA_LONG, at + 16, 0x1_8000_0002L);
            memory.set(JAVA_LONG, at + 24, 17);
            memory.set(JAVA_BYTE, at + 8, (byte) (1 | 32));
            assertThat(completions.begin()).isEqualTo(1);
            assertThat(completions.next(completion)).isTrue();
            assertThat(completion.workRequestId()).isEqualTo(100 + i);
            assertThat(completion.opcode()).as("receive").isEqualTo(128);
            assertThat(completion.status()).as("flushed").isEqualTo(5);
            assertThat(completion.byteLength()).isEqualTo(55);
            assertThat(completion.queuePairNumber()).isEqualTo(17);
            assertThat(completion.flags()).isEqualTo(Completion.WITH_INVALIDATE);
            assertThat(completion.immediateDataOrKey()).isEqualTo(0x8000_0002);
            assertThat(memory.get(JAVA_BYTE, at + 8)).isZero();
            assertThat(completions.next(completion)).isFalse();
        }
        completions.arm();
        assertThat(memory.get(JAVA_INT, SLOTS * CQE)).isEqualTo(3);
        completions.vacate("the reason");
        List<ThrowingCallable> uses = List.of(completions::begin, () -> completions.next(completion), completions::arm);
        assertThat(uses).allSatisfy(use -> assertThatIllegalStateException().isThrownBy(use).withMessage("the reason"));
        memory.set(JAVA_BYTE, 8, (byte) 1);
        assertThatIllegalStateException().isThrownBy(() -> completions.next(completion)).withMessage("the reason");
    }

    @Test
    void nothingIsTakenFromARingThatIsGone() {
        ring.vacate("the reason");
        assertThatIllegalStateException().isThrownBy(() -> ring.takeAll((_, _) -> {})).withMessage("the reason");
    }

    @Test
    void fieldsThatSiwLacksAreZero() {
        var completion = new Completion().set(1, 1, 1, 1, 1, 1).carried(3, 3);
        MemorySegment memory = arena.allocate(SLOTS * CQE + 8, 4096).fill((byte) 0);
        memory.set(JAVA_BYTE, 8, (byte) 1);
        assertThat(new FlaggedCompletionRing(memory, SLOTS).next(completion)).isTrue();
        assertThat(List.of(completion.vendorError(), completion.flags(), completion.immediateDataOrKey()))
                .containsOnly(0);
    }

    private int flags(int slot) {
        return sends.get(JAVA_SHORT, slot * SQE + 8L);
    }
}
