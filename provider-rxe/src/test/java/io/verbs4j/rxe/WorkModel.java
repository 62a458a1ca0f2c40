// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.types.PostResult;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;

/// A model of a ring of work requests, byte by byte: every slot's contents, and the indices. It follows the rules of
/// `rxe_queue.h` only, independently of the provider.
final class WorkModel {
    /// Fields in which the kernel keeps its progress in a send element: status to ssn, has_rd_atomic, the cursor.
    private static final int PROGRESS = 144;

    private static final int PROGRESS_BYTES = 64;

    private final FakeRing ring;
    /// Slots that differ from their initial contents.
    private final Map<Integer, byte[]> contents = new HashMap<>();
    private int consumer;
    private int producer;
    private int batch;

    WorkModel(FakeRing ring) {
        this.ring = ring;
        this.consumer = ring.consumer();
        this.producer = ring.producer();
    }

    int waiting() {
        return producer - consumer & ring.mask();
    }

    boolean hasRoom() {
        return waiting() + batch < ring.mask();
    }

    private byte[] content(int slot) {
        return contents.computeIfAbsent(slot, key -> {
            byte[] dirt = new byte[ring.stride()];
            Arrays.fill(dirt, FakeRing.DIRT);
            return dirt;
        });
    }

    /// Records a legal post.
    ///
    /// @param encode converts a slot's previous contents to the required ones
    void posted(int result, UnaryOperator<byte[]> encode) {
        assertThat(result).isEqualTo(hasRoom() ? PostResult.POSTED : PostResult.QUEUE_FULL);
        if (result != PostResult.POSTED) {
            return;
        }
        int slot = producer + batch & ring.mask();
        byte[] expected = encode.apply(content(slot));
        assertThat(ring.bytes(slot)).as("slot %d", slot).isEqualTo(expected);
        contents.put(slot, expected);
        batch++;
    }

    void checkNothingPublished() {
        assertThat(ring.producer()).as("producer index before the batch is published").isEqualTo(producer);
    }

    void published(int count) {
        assertThat(count).isEqualTo(batch);
        producer = producer + batch & ring.mask();
        batch = 0;
        assertThat(ring.producer()).isEqualTo(producer);
    }

    void abandoned() {
        batch = 0;
        checkNothingPublished();
    }

    /// The kernel writes to the oldest element, which it owns while the element is waiting.
    void kernelWrites(Random whim) {
        if (waiting() != 0) {
            byte[] progress = new byte[PROGRESS_BYTES];
            whim.nextBytes(progress);
            byte[] element = content(consumer).clone();
            System.arraycopy(progress, 0, element, PROGRESS, progress.length);
            ring.scribble(consumer, element);
            contents.put(consumer, element);
        }
    }

    /// The kernel takes elements in order, finds each as posted, and leaves garbage behind.
    void kernelTakes(int count, Random whim) {
        for (int i = 0; i < count && waiting() != 0; i++) {
            assertThat(ring.head()).isEqualTo(consumer);
            assertThat(ring.bytes(consumer)).as("element that the kernel takes").isEqualTo(content(consumer));
            byte[] garbage = new byte[ring.stride()];
            whim.nextBytes(garbage);
            ring.scribble(consumer, garbage);
            contents.put(consumer, garbage);
            ring.consume();
            consumer = consumer + 1 & ring.mask();
        }
    }

    /// The kernel has moved the waiting elements to the start of another ring.
    WorkModel moved(FakeRing other) {
        var model = new WorkModel(other);
        for (int i = 0; i < waiting(); i++) {
            model.contents.put(i, content(consumer + i & ring.mask()));
        }
        assertThat(model.waiting()).isEqualTo(waiting());
        return model;
    }

    void check() {
        assertThat(ring.producer()).as("producer index").isEqualTo(producer).isBetween(0, ring.mask());
        assertThat(ring.consumer()).as("consumer index").isEqualTo(consumer);
        assertThat(ring.memory().get(JAVA_INT, FakeRing.INDEX_MASK)).isEqualTo(ring.mask());
        if (waiting() != 0) {
            assertThat(ring.bytes(consumer)).as("oldest element").isEqualTo(content(consumer));
            int last = producer - 1 & ring.mask();
            assertThat(ring.bytes(last)).as("youngest element").isEqualTo(content(last));
        }
        RingMachine.assertHeader(ring);
    }

    /// Compares all slots.
    void checkAll() {
        byte[] dirt = new byte[ring.stride()];
        Arrays.fill(dirt, FakeRing.DIRT);
        for (int slot = 0; slot <= ring.mask(); slot++) {
            byte[] expected = contents.getOrDefault(slot, dirt);
            byte[] actual = ring.memory().asSlice(ring.slot(slot), ring.stride()).toArray(JAVA_BYTE);
            if (!Arrays.equals(actual, expected)) {
                assertThat(actual).as("slot %d", slot).isEqualTo(expected);
            }
        }
    }

    @Override
    public String toString() {
        return consumer + ".." + producer + "+" + batch + " of " + ring.mask();
    }
}
