// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static io.verbs4j.types.SendFlags.SIGNALED;
import static io.verbs4j.types.WorkRequestOpcode.SEND;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.spi.Completion;
import io.verbs4j.types.PostResult;
import io.verbs4j.types.QueuePairType;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/// The other side of a ring writes whatever it likes, wherever it likes, at any time. We may then miss elements or see
/// some that do not exist, but stay in the mapping, come to an end, and keep the open batch to ourselves.
class HostilePeerProperties {
    @Property(tries = 500)
    void completionRingEndsEveryBatch(
            @ForAll @IntRange(min = 0, max = 6) int bits, @ForAll @Size(max = 50) List<Integer> indices) {
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
            }
            ring.end();
        }
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
            @ForAll @IntRange(min = 0, max = 6) int bits,
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
                while (send.localInvalidate(sends, 0, 1) == PostResult.POSTED) {
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

    /// Words change between two looks of ours, and elements are torn. The mappings end with the last slot, so an access
    /// beyond would be an `IndexOutOfBoundsException`; what comes instead is a count that fits, every time.
    @Property(tries = 10)
    @SuppressWarnings("ThreadPriorityCheck") // there may be one processor
    void peerMayWriteAnythingAtAnyTime(@ForAll long seed, @ForAll @IntRange(min = 1, max = 6) int bits)
            throws InterruptedException {
        try (var rings = new Rings()) {
            FakeRing completionMemory = rings.completionMemory(1 << bits, 0);
            FakeRing sendMemory = rings.sendMemory(1 << bits, 1);
            CompletionRing completions = rings.completion(completionMemory);
            SendRing send = rings.send(sendMemory, QueuePairType.RC);
            Thread peer = Thread.ofPlatform().daemon().start(() -> {
                var random = new Random(seed);
                while (!Thread.currentThread().isInterrupted()) {
                    scribble(completionMemory, random);
                    scribble(sendMemory, random);
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
                        taken++;
                    }
                    assertThat(taken).isEqualTo(promised);
                    completions.end();
                    send.begin();
                    int posted = 0;
                    while (send.transfer(SEND, posted, SIGNALED, 0, 1, 0, 0, 0, 0) == PostResult.POSTED) {
                        posted++;
                        assertThat(posted).isLessThanOrEqualTo(sendMemory.mask());
                    }
                    assertThat(send.publish()).isEqualTo(posted);
                    Thread.yield();
                }
            } finally {
                peer.interrupt();
                peer.join();
            }
        }
    }

    /// Writes indices that are almost plausible, others, and elements; by 32-bit words, as a torn write does.
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
