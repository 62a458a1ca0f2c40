// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static io.verbs4j.types.SendFlags.SIGNALED;
import static io.verbs4j.types.WorkRequestOpcode.SEND;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.spi.Completion;
import io.verbs4j.spi.SendRequest;
import io.verbs4j.types.CompletionOpcode;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.PostResult;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.RingReading;
import io.verbs4j.types.WorkRequestOpcode;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/// The other side of a ring writes any values to any place at any time. The provider may then miss elements or see some
/// that do not exist. It must stay in the mapping, terminate, and keep the open batch invisible.
///
/// The guards around each ring detect accesses outside of the mapping ([FakeRing]). Nothing is written there, as
/// [Rings] checks at the end, and nothing is read there, because no completion has their contents.
class HostilePeerProperties {
    private static final long DIRT_ID = 0xA5A5A5A5A5A5A5A5L;

    /// Sizes of rings, mostly small.
    @Provide
    Arbitrary<Integer> bits() {
        return Arbitraries.frequencyOf(
                Tuple.of(9, Arbitraries.integers().between(0, 6)), Tuple.of(1, Arbitraries.integers().between(7, 12)));
    }

    @Property(tries = 500)
    void completionRingEndsEveryBatch(
            @ForAll("bits") int bits, @ForAll @Size(max = 50) List<Integer> indices) {
        try (var rings = new Rings()) {
            FakeRing fake = rings.completionMemory(1 << bits, 0);
            CompletionRing ring = rings.completion(fake);
            var completion = new Completion();
            for (int forged : indices) {
                fake.forgeProducer(forged);
                int promised = ring.begin();
                assertThat(promised).isBetween(0, fake.mask());
                int taken = 0;
                while (ring.next(completion)) {
                    assertThat(completion.workRequestId()).isEqualTo(DIRT_ID);
                    taken++;
                }
                assertThat(taken).isEqualTo(promised);
                ring.end();
                assertThat(fake.consumer()).isBetween(0, fake.mask());
                assertHeaderUntouched(fake, forged, fake.consumer());
            }
        }
    }

    @Property(tries = 200)
    void completionsMayHoldAnything(@ForAll long seed) {
        try (var rings = new Rings()) {
            FakeRing fake = rings.completionMemory(8, 5);
            CompletionRing ring = rings.completion(fake);
            var random = new Random(seed);
            byte[] garbage = new byte[fake.stride()];
            for (int i = 0; i < 7; i++) {
                random.nextBytes(garbage);
                fake.produce(garbage);
            }
            assertThat(ring.begin()).isEqualTo(7);
            var completion = new Completion();
            while (ring.next(completion)) {
                assertThat(completion.pkeyIndex()).isBetween(0, 0xffff);
                assertThat(completion.serviceLevel()).isBetween(0, 0xff);
                assertNamed(completion);
            }
            ring.end();
        }
    }

    /// Status and opcode are converted as in the API, whether they have a name or not.
    private static void assertNamed(Completion completion) {
        CompletionStatus status = CompletionStatus.of(completion.status());
        assertThat(status.value()).isEqualTo(completion.status());
        assertThat(status.known() || status.toString().equals("UNKNOWN(" + status.value() + ")")).isTrue();
        assertThat(status.likelyCause()).isNotEmpty();
        var opcode = new CompletionOpcode(completion.opcode());
        assertThat(opcode.known() || opcode.toString().equals("UNKNOWN(" + opcode.value() + ")")).isTrue();
    }

    /// An observer outside of the ring trusts the indices only.
    @Property(tries = 500)
    void aLookFromOutsideStaysInTheRing(
            @ForAll("bits") int bits,
            @ForAll("shapeWords") int shift,
            @ForAll("shapeWords") int mask,
            @ForAll int producer,
            @ForAll int consumer,
            @ForAll boolean masked) {
        try (var rings = new Rings()) {
            FakeRing fake = rings.sendMemory(1 << bits, 0);
            RingSlots slots = rings.send(fake, QueuePairType.RC).slots();
            fake.memory().set(JAVA_INT, FakeRing.LOG2_ELEM_SIZE, shift);
            fake.memory().set(JAVA_INT, FakeRing.INDEX_MASK, mask);
            fake.forgeProducer(masked ? producer & fake.mask() : producer);
            fake.forgeConsumer(masked ? consumer & fake.mask() : consumer);
            RingReading reading = slots.read(RxeSendWqe.STRUCT.offset("wr.wr_id"));
            if (reading != null) {
                assertThat(reading.capacity()).isEqualTo(fake.mask());
                assertThat(reading.fill()).isEqualTo((producer - consumer) & fake.mask());
                assertThat(reading.oldestWorkRequestId()).isEqualTo(reading.isEmpty() ? 0 : DIRT_ID);
            } else {
                assertThat(masked && shift == Rings.SEND_SHIFT).as("a header as kernels have it").isFalse();
            }
            assertThat(slots.copy(consumer)).hasSize(fake.stride()).containsOnly(FakeRing.DIRT);
            assertThat(slots.after(consumer, 1)).isBetween(0, fake.mask());
            assertThat(slots.address(consumer) - fake.memory().address()).isEqualTo(fake.slot(consumer));
        }
    }

    /// Words of a ring's shape: valid ones, and others.
    @Provide
    Arbitrary<Integer> shapeWords() {
        return Arbitraries.frequencyOf(
                Tuple.of(1, Arbitraries.of(Rings.SEND_SHIFT)),
                Tuple.of(2, Arbitraries.integers().between(0, 64)),
                Tuple.of(1, Arbitraries.integers()));
    }

    /// The header's shape is read once; rewriting it later changes nothing.
    @Property(tries = 100)
    void shapeIsNotReadAgain(@ForAll int shift, @ForAll int mask) {
        try (var rings = new Rings()) {
            FakeRing fake = rings.completionMemory(8, 7);
            CompletionRing ring = rings.completion(fake);
            fake.memory().set(JAVA_INT, 0, shift);
            fake.memory().set(JAVA_INT, 4, mask);
            fake.produce(FakeKernel.completion(1, 0, 0, 0, 17));
            fake.produce(FakeKernel.completion(2, 0, 0, 0, 17));
            var completion = new Completion();
            assertThat(ring.begin()).isEqualTo(2);
            assertThat(ring.next(completion)).isTrue();
            assertThat(ring.next(completion)).isTrue();
            assertThat(completion.workRequestId()).isEqualTo(2);
            ring.end();
            assertThat(fake.consumer()).isEqualTo(1);
        }
    }

    @Property(tries = 500)
    void postingStopsAtTheCapacity(
            @ForAll("bits") int bits,
            @ForAll @Size(max = 50) List<Integer> indices,
            @ForAll boolean publishes) {
        try (var rings = new Rings()) {
            FakeRing sendMemory = rings.sendMemory(1 << bits, 0);
            FakeRing receiveMemory = rings.receiveMemory(1 << bits, 0);
            SendRing send = rings.send(sendMemory, QueuePairType.RC);
            ReceiveRing receive = rings.receive(receiveMemory);
            for (int forged : indices) {
                sendMemory.forgeConsumer(forged);
                receiveMemory.forgeConsumer(forged);
                int sends = 0;
                while (send.post(
                        SendRequest.of(sends, 0).operation(WorkRequestOpcode.LOCAL_INVALIDATE).immediateDataOrKey(1))
                        == PostResult.POSTED) {
                    sends++;
                    assertThat(sends).isLessThanOrEqualTo(sendMemory.mask());
                }
                int receives = 0;
                while (receive.receive(receives, 0, 0, 0) == PostResult.POSTED) {
                    receives++;
                    assertThat(receives).isLessThanOrEqualTo(receiveMemory.mask());
                }
                if (publishes) {
                    assertThat(send.publish()).isLessThanOrEqualTo(sendMemory.mask());
                    assertThat(receive.publish()).isLessThanOrEqualTo(receiveMemory.mask());
                } else {
                    send.abandon();
                    receive.abandon();
                }
                assertThat(sendMemory.producer()).isBetween(0, sendMemory.mask());
                assertHeaderUntouched(sendMemory, sendMemory.producer(), forged);
                assertHeaderUntouched(receiveMemory, receiveMemory.producer(), forged);
            }
        }
    }

    /// Words change between two reads, and elements are torn. The resulting count is always valid.
    @Property(tries = 10)
    @SuppressWarnings("ThreadPriorityCheck") // there may be one processor
    void peerMayWriteAnythingAtAnyTime(@ForAll long seed, @ForAll @IntRange(min = 1, max = 8) int bits)
            throws InterruptedException {
        try (var rings = new Rings()) {
            FakeRing completionMemory = rings.completionMemory(1 << bits, 0);
            FakeRing sendMemory = rings.sendMemory(1 << bits, 1);
            FakeRing receiveMemory = rings.receiveMemory(1 << bits, 1);
            CompletionRing completions = rings.completion(completionMemory);
            SendRing send = rings.send(sendMemory, QueuePairType.RC);
            ReceiveRing receive = rings.receive(receiveMemory);
            Thread peer = Thread.ofPlatform().daemon().start(() -> {
                var random = new Random(seed);
                while (!Thread.currentThread().isInterrupted()) {
                    scribble(completionMemory, random);
                    scribble(sendMemory, random);
                    scribble(receiveMemory, random);
                    Thread.yield();
                }
            });
            try {
                var completion = new Completion();
                for (int round = 0; round < 3000; round++) {
                    int promised = completions.begin();
                    assertThat(promised).isBetween(0, completionMemory.mask());
                    int taken = 0;
                    while (completions.next(completion)) {
                        assertThat(completion.workRequestId()).isNotEqualTo(FakeRing.POISON_ID);
                        taken++;
                    }
                    assertThat(taken).isEqualTo(promised);
                    completions.end();
                    send.begin();
                    int posted = 0;
                    while (send.post(SendRequest.of(posted, SIGNALED).operation(SEND), 0, 1, 0) == PostResult.POSTED) {
                        posted++;
                        assertThat(posted).isLessThanOrEqualTo(sendMemory.mask());
                    }
                    assertThat(send.publish()).isEqualTo(posted);
                    receive.begin();
                    int received = 0;
                    while (receive.receive(received, 0, 1, 0) == PostResult.POSTED) {
                        received++;
                        assertThat(received).isLessThanOrEqualTo(receiveMemory.mask());
                    }
                    assertThat(receive.publish()).isEqualTo(received);
                    Thread.yield();
                }
            } finally {
                peer.interrupt();
                peer.join();
            }
        }
    }

    /// Writes almost plausible indices, other values, and elements, in 32-bit words, as a torn write does.
    private static void scribble(FakeRing ring, Random random) {
        ring.forgeProducer(random.nextInt(2 * ring.mask() + 2));
        ring.forgeConsumer(random.nextInt(4) == 0 ? random.nextInt() : random.nextInt(ring.mask() + 1));
        long words = ring.memory().byteSize() / Integer.BYTES;
        for (int i = 0; i < 16; i++) {
            ring.memory().setAtIndex(JAVA_INT, random.nextLong(words), random.nextInt());
        }
    }

    private static void assertHeaderUntouched(FakeRing fake, int producer, int consumer) {
        assertThat(fake.memory().get(JAVA_INT, 4)).isEqualTo(fake.mask());
        assertThat(fake.memory().get(JAVA_INT, 128)).isEqualTo(producer);
        assertThat(fake.memory().get(JAVA_INT, 256)).isEqualTo(consumer);
        assertThat(fake.memory().get(JAVA_INT, 8)).isEqualTo(0xA5A5A5A5);
        assertThat(fake.memory().get(JAVA_INT, 380)).isEqualTo(0xA5A5A5A5);
    }
}
