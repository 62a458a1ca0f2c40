// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static io.verbs4j.types.SendFlags.SIGNALED;
import static io.verbs4j.types.WorkRequestOpcode.SEND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.verbs4j.spi.SendRequest;
import io.verbs4j.types.PostResult;
import io.verbs4j.types.QueuePairType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Batches, full rings and vacated send rings.
class SendRingTest {
    private final Rings rings = new Rings();

    @AfterEach
    void close() {
        rings.close();
    }

    @Test
    void capacityIsOneLessThanTheSlots() {
        SendRing ring = rings.send(rings.sendMemory(16, 0), QueuePairType.RC);
        assertThat(ring.capacity()).isEqualTo(15);
        assertThat(ring.maxScatterGather()).isEqualTo(32);
        assertThat(ring.maxInlineData()).isEqualTo(512);
    }

    @Test
    void kernelSeesABatchOnlyWhenItIsPublished() {
        FakeRing fake = rings.sendMemory(8, 6);
        SendRing ring = rings.send(fake, QueuePairType.RC);
        ring.begin();
        for (int i = 0; i < 3; i++) {
            post(ring, i);
            assertThat(fake.waiting()).isZero();
        }
        assertThat(ring.publish()).isEqualTo(3);
        assertThat(fake.waiting()).isEqualTo(3);
        assertThat(fake.producer()).isEqualTo(1);
        assertThat(ring.publish()).isZero();
    }

    @Test
    void abandonedBatchLeavesNoTrace() {
        FakeRing fake = rings.sendMemory(4, 3);
        SendRing ring = rings.send(fake, QueuePairType.RC);
        ring.begin();
        for (int i = 0; i < 3; i++) {
            post(ring, i);
        }
        assertThat(post(ring, 3)).isEqualTo(PostResult.QUEUE_FULL);
        ring.abandon();
        assertThat(ring.publish()).isZero();
        assertThat(fake.waiting()).isZero();
        assertThat(fake.producer()).isEqualTo(3);
        ring.begin();
        post(ring, 4);
        ring.publish();
        assertThat(fake.waiting()).isEqualTo(1);
        assertThat(fake.head()).isEqualTo(3);
        assertThat(fake.take()[0]).isEqualTo((byte) 4);
    }

    @Test
    void beginForgetsABatchThatWasNotEnded() {
        FakeRing fake = rings.sendMemory(4, 0);
        SendRing ring = rings.send(fake, QueuePairType.RC);
        ring.begin();
        post(ring, 1);
        ring.begin();
        post(ring, 2);
        assertThat(ring.publish()).isEqualTo(1);
        assertThat(fake.take()[0]).isEqualTo((byte) 2);
        assertThat(fake.waiting()).isZero();
    }

    @Test
    void fullRingTakesOneMoreForEachThatTheKernelReleases() {
        FakeRing fake = rings.sendMemory(4, 2);
        SendRing ring = rings.send(fake, QueuePairType.RC);
        ring.begin();
        for (int i = 0; i < 3; i++) {
            assertThat(post(ring, i)).isEqualTo(PostResult.POSTED);
        }
        ring.publish();
        assertThat(post(ring, 3)).isEqualTo(PostResult.QUEUE_FULL);
        fake.take();
        assertThat(post(ring, 3)).isEqualTo(PostResult.POSTED);
        assertThat(post(ring, 4)).isEqualTo(PostResult.QUEUE_FULL);
    }

    @Test
    void ringWithoutRoomIsAlwaysFull() {
        SendRing ring = rings.send(rings.sendMemory(1, 0), QueuePairType.RC);
        assertThat(ring.capacity()).isZero();
        assertThat(post(ring, 0)).isEqualTo(PostResult.QUEUE_FULL);
        assertThat(ring.publish()).isZero();
    }

    @Test
    void goesOnWhereTheRingStands() {
        FakeRing fake = rings.sendMemory(4, 2);
        SendRing before = rings.send(fake, QueuePairType.RC);
        post(before, 1);
        post(before, 2);
        before.publish();
        SendRing ring = rings.send(fake, QueuePairType.RC);
        assertThat(post(ring, 3)).isEqualTo(PostResult.POSTED);
        assertThat(post(ring, 4)).isEqualTo(PostResult.QUEUE_FULL);
        ring.publish();
        assertThat(fake.take()[0]).isEqualTo((byte) 1);
        assertThat(fake.take()[0]).isEqualTo((byte) 2);
        assertThat(fake.take()[0]).isEqualTo((byte) 3);
    }

    @Test
    void doorbellPassesOnWhatTheKernelSays() {
        FakeRing fake = rings.sendMemory(4, 0);
        var limits = new RxeSendLimits(QueuePairType.RC, 1, 16, Rings.MAX_MESSAGE, 0, Rings.DOMAIN);
        assertThat(new SendRing(fake.memory(), limits, 0, () -> -22).doorbell()).isEqualTo(-22);
    }

    @Test
    void failedInlineCopyTakesNoSlot() {
        FakeRing fake = rings.sendMemory(4, 0);
        SendRing ring = rings.send(fake, QueuePairType.RC);
        MemorySegment closed;
        try (Arena arena = Arena.ofConfined()) {
            closed = arena.allocate(8);
        }
        assertThatIllegalStateException()
                .isThrownBy(() -> ring.postInline(SendRequest.of(1, 0).operation(SEND), closed, 0, 8));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ring.postInline(SendRequest.of(1, 0).operation(SEND),
                        MemorySegment.ofArray(new byte[3]), 0, 4));
        assertThat(ring.publish()).isZero();
        assertThat(fake.bytes(0)).containsOnly(FakeRing.DIRT);
    }

    @Test
    void lostRingThrows() {
        SendRing ring = rings.send(rings.sendMemory(4, 0), QueuePairType.RC);
        post(ring, 0);
        ring.vacate("the reason");
        assertThatIllegalStateException().isThrownBy(() -> post(ring, 1)).withMessage("the reason");
        assertThatIllegalStateException().isThrownBy(ring::publish).withMessage("the reason");
    }

    @Test
    void lostReceiveRingSaysSoAndLivesOnInAnother() {
        FakeRing fake = rings.receiveMemory(4, 1);
        ReceiveRing ring = rings.receive(fake);
        ring.receive(1, 0, 0, 0);
        ring.receive(2, 0, 0, 0);
        ring.publish();
        ring.receive(3, 0, 0, 0);
        ring.vacate("the reason");
        assertThatIllegalStateException()
                .isThrownBy(() -> ring.receive(4, 0, 0, 0))
                .withMessage("the reason");
        assertThatIllegalStateException().isThrownBy(ring::publish).withMessage("the reason");
        FakeRing resized = fake.resize(rings.arena(), 8, false);
        ring.remap(resized.memory());
        assertThat(ring.capacity()).isEqualTo(7);
        ring.receive(5, 0, 0, 0);
        ring.publish();
        assertThat(resized.waiting()).isEqualTo(3);
        assertThat(resized.take()[0]).isEqualTo((byte) 1);
        assertThat(resized.take()[0]).isEqualTo((byte) 2);
        assertThat(resized.take()[0]).isEqualTo((byte) 5);
    }

    private static int post(SendRing ring, int id) {
        return ring.post(SendRequest.of(id, SIGNALED).operation(SEND), 0, 0, 0);
    }
}
