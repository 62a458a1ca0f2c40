// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.spi.SendRequest;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.RingReading;
import io.verbs4j.types.WorkRequestOpcode;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A snapshot of a ring shows its contents, changes nothing, and survives the end of the mapping.
class RingSlotsTest {
    private static final long SEND_ID = RxeSendWqe.STRUCT.offset("wr.wr_id");
    private static final long RECEIVE_ID = RxeRecvWqe.STRUCT.offset("wr_id");

    private final Rings rings = new Rings();

    @AfterEach
    void close() {
        rings.close();
    }

    @Test
    void aSendRingReportsItsFillAndItsOldestWorkRequest() {
        FakeRing fake = rings.sendMemory(8, 6);
        SendRing ring = rings.send(fake, QueuePairType.RC);
        RingSlots slots = ring.slots();
        assertThat(slots.read(SEND_ID)).isEqualTo(new RingReading(7, 0, 6, 6, 0));
        for (int id = 41; id <= 43; id++) {
            ring.post(SendRequest.of(id, 0).operation(0), 0x1000, 16, 1);
        }
        assertThat(slots.read(SEND_ID)).as("not published yet").isEqualTo(new RingReading(7, 0, 6, 6, 0));
        ring.publish();
        assertThat(slots.read(SEND_ID)).isEqualTo(new RingReading(7, 3, 1, 6, 41));
        fake.consume();
        assertThat(slots.read(SEND_ID)).isEqualTo(new RingReading(7, 2, 1, 7, 42));
    }

    @Test
    void onlyAnOutstandingBindIsFound() {
        FakeRing fake = rings.sendMemory(2, 0);
        SendRing ring = rings.send(fake, QueuePairType.RC);
        ring.post(SendRequest.of(1, 0)
                .operation(WorkRequestOpcode.BIND_MEMORY_WINDOW)
                .immediateDataOrKey(0x80000105)
                .window(0x80000106, 7, 0x1000, 8));
        assertThat(ring.slots().bind(0x80000106)).as("not published yet").isFalse();
        ring.publish();
        assertThat(ring.slots().bind(0x80000106)).isTrue();
        assertThat(ring.slots().bind(0x80000206)).as("another window").isFalse();
        fake.consume();
        assertThat(ring.slots().bind(0x80000106)).as("consumed").isFalse();
        for (int id = 2; id <= 3; id++) {
            ring.post(SendRequest.of(id, 0).operation(WorkRequestOpcode.RDMA_WRITE), 0x1000, 16, 1);
            ring.publish();
            assertThat(ring.slots().bind(0x80000106)).as("a write, at last in the slot of the bind").isFalse();
            fake.consume();
        }
    }

    @Test
    void aReceiveRingDoesLikewise() {
        FakeRing fake = rings.receiveMemory(4, 0);
        ReceiveRing ring = rings.receive(fake);
        ring.receive(7, 0x1000, 16, 1);
        ring.publish();
        assertThat(ring.slots().read(RECEIVE_ID)).isEqualTo(new RingReading(3, 1, 1, 0, 7));
    }

    @Test
    void indicesThatNoKernelWouldStoreAreNoReading() {
        FakeRing fake = rings.sendMemory(8, 0);
        RingSlots slots = rings.send(fake, QueuePairType.RC).slots();
        fake.forgeConsumer(0x7fff_fff0);
        assertThat(slots.read(SEND_ID)).isNull();
        fake.forgeConsumer(0);
        fake.forgeProducer(-1);
        assertThat(slots.read(SEND_ID)).isNull();
    }

    @Test
    void theZeroPagesInPlaceOfAnUnmappedRingAreNoReading() {
        FakeRing fake = rings.sendMemory(8, 0);
        RingSlots slots = rings.send(fake, QueuePairType.RC).slots();
        assertThat(slots.read(SEND_ID)).isNotNull();
        fake.memory().fill((byte) 0);
        assertThat(slots.read(SEND_ID)).isNull();
    }

    /// The zero page may appear between any two reads.
    @Test
    void aRingThatIsUnmappedBetweenTwoReadsIsNoReading() {
        FakeRing fake = rings.sendMemory(8, 1);
        SendRing ring = rings.send(fake, QueuePairType.RC);
        ring.post(SendRequest.of(41, 0).operation(0), 0x1000, 16, 1);
        ring.publish();
        fake.memory().set(ValueLayout.JAVA_INT, FakeRing.LOG2_ELEM_SIZE, 0);

        assertThat(ring.slots().read(SEND_ID)).isNull();
    }
}
