// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static io.verbs4j.types.SendFlags.INLINE;
import static io.verbs4j.types.SendFlags.SIGNALED;
import static io.verbs4j.types.WorkRequestOpcode.SEND;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.spi.SendRequest;
import io.verbs4j.spi.SendTemplate;
import io.verbs4j.types.PostResult;
import io.verbs4j.types.QueuePairType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/// Send and receive rings against a queue as model, in any order of events, from any index.
class ProducerRingProperties {
    /// An event of a ring.
    enum Event {
        BEGIN,
        POST,
        PUBLISH,
        ABANDON,
        KERNEL_TAKES_ONE
    }

    /// Size of a ring and where it stands.
    record Shape(int slots, int start) {}

    @Provide
    Arbitrary<Shape> shapes() {
        Arbitrary<Integer> small = Arbitraries.integers().between(1, 4);
        Arbitrary<Integer> any = Arbitraries.integers().between(1, 15);
        Arbitrary<Integer> bits = Arbitraries.frequencyOf(Tuple.of(9, small), Tuple.of(1, any));
        return Combinators
                .combine(bits, Arbitraries.integers().between(0, 32767), Arbitraries.integers().between(-3, 0))
                .as((n, anywhere, beforeWrap) -> {
                    int slots = 1 << n;
                    int start = anywhere % 2 == 0 ? anywhere : slots + beforeWrap;
                    return new Shape(slots, start & (slots - 1));
                });
    }

    @Provide
    Arbitrary<List<Event>> histories() {
        return Arbitraries.frequency(
                Tuple.of(6, Event.POST),
                Tuple.of(4, Event.KERNEL_TAKES_ONE),
                Tuple.of(3, Event.PUBLISH),
                Tuple.of(1, Event.ABANDON),
                Tuple.of(1, Event.BEGIN))
                .list()
                .ofMaxSize(300);
    }

    @Property(tries = 300)
    void receiveRingIsAQueue(@ForAll("shapes") Shape shape, @ForAll("histories") List<Event> history) {
        try (var rings = new Rings()) {
            FakeRing fake = rings.memory(shape.slots, 6, shape.start);
            var ring = new ReceiveRing(fake.memory(), 1, "receive queue");
            run(fake, history, new Producer() {
                @Override
                public void begin() {
                    ring.begin();
                }

                @Override
                public int post(long id) {
                    return ring.receive(id, id * 3, 1 + (int) id, (int) id);
                }

                @Override
                public byte[] expected(byte[] before, long id) {
                    return Wqe.receive(before, id)
                            .receiveElement(id * 3, 1 + (int) id, (int) id)
                            .bytes();
                }

                @Override
                public int publish() {
                    return ring.publish();
                }

                @Override
                public void abandon() {
                    ring.abandon();
                }
            });
        }
    }

    @Property(tries = 300)
    void sendRingIsAQueue(@ForAll("shapes") Shape shape, @ForAll("histories") List<Event> history) {
        try (var rings = new Rings()) {
            FakeRing fake = rings.memory(shape.slots, 8, shape.start);
            var limits = new RxeSendLimits(QueuePairType.RC, 3, 48, Rings.MAX_MESSAGE, 0, Rings.DOMAIN);
            var ring = new SendRing(fake.memory(), limits, Rings.MTU, () -> 0);
            run(fake, history, new Producer() {
                @Override
                public void begin() {
                    ring.begin();
                }

                @Override
                public int post(long id) {
                    return ring.post(SendRequest.of(id, SIGNALED).message(SEND, 0), id * 3, 1 + (int) id, (int) id);
                }

                @Override
                public byte[] expected(byte[] before, long id) {
                    return Wqe.send(before, SEND, id, SIGNALED)
                            .remote(0, 0)
                            .sendElement(id * 3, 1 + (int) id, (int) id)
                            .bytes();
                }

                @Override
                public int publish() {
                    return ring.publish();
                }

                @Override
                public void abandon() {
                    ring.abandon();
                }
            });
        }
    }

    /// All work requests are copies of one template, which is changed before each.
    @Property(tries = 300)
    void preparedSendsAreAQueue(@ForAll("shapes") Shape shape, @ForAll("histories") List<Event> history) {
        try (var rings = new Rings()) {
            FakeRing fake = rings.memory(shape.slots, 8, shape.start);
            var limits = new RxeSendLimits(QueuePairType.RC, 3, 48, Rings.MAX_MESSAGE, 0, Rings.DOMAIN);
            var ring = new SendRing(fake.memory(), limits, Rings.MTU, () -> 0);
            SendTemplate template = ring.prepare(
                    ops -> ops.postInline(SendRequest.of(0, SIGNALED).message(SEND, 0),
                            MemorySegment.ofArray(new byte[0]), 0, 0));
            run(fake, history, new Producer() {
                @Override
                public void begin() {
                    ring.begin();
                }

                @Override
                public int post(long id) {
                    byte[] payload = payload(id);
                    template.workRequestId(id);
                    template.inline(MemorySegment.ofArray(payload), 0, payload.length);
                    return ring.post(template);
                }

                @Override
                public byte[] expected(byte[] before, long id) {
                    return Wqe.send(Wqe.cleared(before), SEND, id, SIGNALED | INLINE)
                            .remote(0, 0)
                            .inline(payload(id))
                            .bytes();
                }

                @Override
                public int publish() {
                    return ring.publish();
                }

                @Override
                public void abandon() {
                    ring.abandon();
                }
            });
        }
    }

    private static byte[] payload(long id) {
        byte[] payload = new byte[48];
        Arrays.fill(payload, (byte) id);
        return payload;
    }

    private interface Producer {
        void begin();

        int post(long id);

        byte[] expected(byte[] before, long id);

        int publish();

        void abandon();
    }

    private static void run(FakeRing fake, List<Event> history, Producer ring) {
        int capacity = fake.mask();
        byte[] dirt = new byte[fake.stride()];
        Arrays.fill(dirt, FakeRing.DIRT);
        Deque<Long> published = new ArrayDeque<>();
        Deque<Long> batch = new ArrayDeque<>();
        long id = 0;
        for (Event event : history) {
            switch (event) {
                case BEGIN -> {
                    ring.begin();
                    batch.clear();
                }
                case POST -> {
                    boolean room = published.size() + batch.size() < capacity;
                    assertThat(ring.post(id)).isEqualTo(room ? PostResult.POSTED : PostResult.QUEUE_FULL);
                    if (room) {
                        batch.add(id);
                    }
                    id++;
                }
                case PUBLISH -> {
                    assertThat(ring.publish()).isEqualTo(batch.size());
                    published.addAll(batch);
                    batch.clear();
                }
                case ABANDON -> {
                    ring.abandon();
                    batch.clear();
                }
                case KERNEL_TAKES_ONE -> {
                    if (!published.isEmpty()) {
                        long oldest = published.remove();
                        assertContent(fake, ring, dirt, oldest);
                        fake.take();
                    }
                }
            }
            assertThat(fake.waiting()).isEqualTo(published.size());
            assertThat(fake.producer()).isBetween(0, fake.mask());
        }
        while (!published.isEmpty()) {
            assertContent(fake, ring, dirt, published.remove());
            fake.take();
        }
        assertThat(fake.waiting()).isZero();
    }

    /// The element is what was posted, and where the post wrote nothing there is still what was there before: dirt, or
    /// what an abandoned batch has left, which wrote to the same places.
    private static void assertContent(FakeRing fake, Producer ring, byte[] before, long id) {
        assertThat(fake.bytes(fake.head())).isEqualTo(ring.expected(before, id));
    }
}
