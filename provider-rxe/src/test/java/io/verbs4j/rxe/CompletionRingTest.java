// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.verbs4j.spi.Completion;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CompletionRingTest {
    private final Rings rings = new Rings();
    private final Completion completion = new Completion();

    @AfterEach
    void close() {
        rings.close();
    }

    @Test
    void everyFieldComesFromItsPlace() {
        FakeRing fake = rings.completionMemory(8, 7);
        CompletionRing ring = rings.completion(fake);
        fake.produce(ByteBuffer.allocate(48)
                .order(LITTLE_ENDIAN)
                .putLong(0, 0x8877665544332211L)
                .putInt(8, 12)
                .putInt(12, 129)
                .putInt(16, 0x16)
                .putInt(20, -1)
                .putInt(24, 0x01020304)
                .putInt(28, 0x00ffffff)
                .putInt(32, 0x32)
                .putInt(36, Completion.GRH | Completion.WITH_INVALIDATE)
                .putShort(40, (short) 0xffff)
                .putShort(42, (short) 0x8042)
                .put(44, (byte) 0xf0)
                .put(45, (byte) 0xff)
                .put(46, (byte) 1)
                .array());
        assertThat(ring.begin()).isEqualTo(1);
        assertThat(ring.next(completion)).isTrue();
        assertThat(completion.workRequestId()).isEqualTo(0x8877665544332211L);
        assertThat(completion.status()).isEqualTo(12);
        assertThat(completion.opcode()).isEqualTo(129);
        assertThat(completion.vendorError()).isEqualTo(0x16);
        assertThat(completion.byteLength()).isEqualTo(-1);
        assertThat(completion.immediateDataOrKey()).isEqualTo(0x01020304);
        assertThat(completion.queuePairNumber()).isEqualTo(0xffffff);
        assertThat(completion.sourceQueuePair()).isEqualTo(0x32);
        assertThat(completion.flags()).isEqualTo(5);
        assertThat(completion.pkeyIndex()).isEqualTo(0xffff);
        assertThat(completion.sourceLid()).isEqualTo(0x8042);
        assertThat(completion.serviceLevel()).isEqualTo(0xf0);
        assertThat(completion.pathBits()).isEqualTo(0xff);
        assertThat(ring.next(completion)).isFalse();
    }

    /// Also across the end of the ring, and no more than wait or fit.
    @Test
    void severalAreReadAtOnce() {
        FakeRing fake = rings.completionMemory(8, 6);
        CompletionRing ring = rings.completion(fake);
        for (int id = 1; id <= 5; id++) {
            fake.produce(FakeKernel.completion(id, 0, 128, 0, 17));
        }
        Completion[] taken = {new Completion(), new Completion(), new Completion(), new Completion()};
        ring.begin();
        assertThat(ring.next(taken, 3)).isEqualTo(3);
        assertThat(taken).extracting(Completion::workRequestId).containsExactly(1L, 2L, 3L, 0L);
        assertThat(ring.next(taken, 4)).isEqualTo(2);
        assertThat(taken).extracting(Completion::workRequestId).containsExactly(4L, 5L, 3L, 0L);
        assertThat(ring.next(taken, 4)).isZero();
    }

    @Test
    void immediateDataComesFromNetworkOrder() {
        FakeRing fake = rings.completionMemory(2, 0);
        CompletionRing ring = rings.completion(fake);
        byte[] cqe = FakeKernel.completion(1, 0, 128, 0, 17);
        ByteBuffer.wrap(cqe)
                .order(BIG_ENDIAN)
                .putInt(24, 0x01020304)
                .order(LITTLE_ENDIAN)
                .putInt(36, Completion.GRH | Completion.WITH_IMMEDIATE);
        fake.produce(cqe);
        ring.begin();
        ring.next(completion);
        assertThat(completion.immediateDataOrKey()).isEqualTo(0x01020304);
    }

    @Test
    void unknownStatusOpcodeAndFlagsArePassedOn() {
        FakeRing fake = rings.completionMemory(2, 0);
        CompletionRing ring = rings.completion(fake);
        byte[] cqe = FakeKernel.completion(1, 0x7ffffff0, 0xfffffff1, 0, 17);
        ByteBuffer.wrap(cqe).order(LITTLE_ENDIAN).putInt(36, 0xffffff00);
        fake.produce(cqe);
        ring.begin();
        ring.next(completion);
        assertThat(completion.status()).isEqualTo(0x7ffffff0);
        assertThat(completion.opcode()).isEqualTo(0xfffffff1);
        assertThat(completion.flags()).isEqualTo(0xffffff00);
    }

    @Test
    void emptyRingHasNothingAndTouchesNothing() {
        FakeRing fake = rings.completionMemory(4, 2);
        CompletionRing ring = rings.completion(fake);
        assertThat(ring.begin()).isZero();
        assertThat(ring.next(completion)).isFalse();
        ring.end();
        assertThat(fake.consumer()).isEqualTo(2);
    }

    @Test
    void slotsAreGivenBackAtTheEndAndAllAtOnce() {
        FakeRing fake = rings.completionMemory(4, 3);
        CompletionRing ring = rings.completion(fake);
        for (int i = 0; i < 3; i++) {
            assertThat(fake.produce(FakeKernel.completion(i, 0, 0, 0, 17))).isTrue();
        }
        assertThat(fake.full()).isTrue();
        assertThat(ring.begin()).isEqualTo(3);
        assertThat(ring.next(completion)).isTrue();
        assertThat(ring.next(completion)).isTrue();
        assertThat(fake.consumer()).isEqualTo(3);
        assertThat(fake.full()).isTrue();
        ring.end();
        assertThat(fake.consumer()).isEqualTo(1);
        assertThat(ring.begin()).isEqualTo(1);
        assertThat(ring.next(completion)).isTrue();
        assertThat(completion.workRequestId()).isEqualTo(2);
        ring.end();
        assertThat(fake.consumer()).isEqualTo(2);
    }

    /// Otherwise, a poll that returns fewer completions than requested would not mean that the queue is empty.
    @Test
    void eachBatchSeesAllThatWaitsWhenItBegins() {
        FakeRing fake = rings.completionMemory(8, 3);
        CompletionRing ring = rings.completion(fake);
        fake.produce(FakeKernel.completion(1, 0, 0, 0, 17));
        fake.produce(FakeKernel.completion(2, 0, 0, 0, 17));
        ring.begin();
        ring.next(completion);
        ring.end();
        fake.produce(FakeKernel.completion(3, 0, 0, 0, 17));
        assertThat(ring.begin()).isEqualTo(2);
        for (long id = 2; id <= 3; id++) {
            assertThat(ring.next(completion)).isTrue();
            assertThat(completion.workRequestId()).isEqualTo(id);
        }
        assertThat(ring.next(completion)).isFalse();
    }

    @Test
    void goesOnWhereTheRingStands() {
        FakeRing fake = rings.completionMemory(4, 1);
        fake.produce(FakeKernel.completion(1, 0, 0, 0, 17));
        fake.produce(FakeKernel.completion(2, 0, 0, 0, 17));
        CompletionRing ring = rings.completion(fake);
        assertThat(ring.begin()).isEqualTo(2);
        assertThat(ring.next(completion)).isTrue();
        assertThat(completion.workRequestId()).isEqualTo(1);
    }

    @Test
    void waitingCompletionsSurviveAResize() {
        FakeRing fake = rings.completionMemory(8, 6);
        CompletionRing ring = rings.completion(fake);
        for (int i = 0; i < 5; i++) {
            fake.produce(FakeKernel.completion(i, 0, 0, 0, 17));
        }
        ring.begin();
        ring.next(completion);
        ring.end();
        CompletionRing resized = rings.completion(fake.resize(rings.arena(), 16, true));
        assertThat(resized.capacity()).isEqualTo(15);
        assertThat(resized.begin()).isEqualTo(4);
        for (int i = 1; i < 5; i++) {
            assertThat(resized.next(completion)).isTrue();
            assertThat(completion.workRequestId()).isEqualTo(i);
        }
    }

    @Test
    void lostRingSaysSo() {
        FakeRing fake = rings.completionMemory(4, 0);
        CompletionRing ring = rings.completion(fake);
        fake.produce(FakeKernel.completion(1, 0, 0, 0, 17));
        ring.begin();
        ring.vacate("the reason");
        assertThatIllegalStateException().isThrownBy(() -> ring.next(completion)).withMessage("the reason");
        ring.end();
        assertThatIllegalStateException().isThrownBy(ring::begin).withMessage("the reason");
    }

    /// Zeroes replace the kernel's memory. They look like completions of work requests with the identifier 0.
    @Test
    void whatStandsWhereTheRingWasIsNoCompletion() {
        FakeRing fake = rings.completionMemory(4, 1);
        CompletionRing ring = rings.completion(fake);
        fake.produce(FakeKernel.completion(1, 0, 0, 0, 17));
        assertThat(ring.begin()).isEqualTo(1);
        ring.vacate("the reason");
        fake.memory().fill((byte) 0);
        assertThatIllegalStateException().isThrownBy(() -> ring.next(completion)).withMessage("the reason");
        ring.end();
        assertThatIllegalStateException().isThrownBy(ring::begin).withMessage("the reason");
    }
}
