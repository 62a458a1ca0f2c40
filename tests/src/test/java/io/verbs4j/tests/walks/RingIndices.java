// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import io.verbs4j.CompletionQueue;
import io.verbs4j.QueuePair;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InaccessibleObjectException;

/// Reads the indices of the rings behind public objects: what the library shares with the kernel, and shows nobody else.
final class RingIndices {
    /// `struct rxe_queue_buf` (rdma_user_rxe.h), written down once more.
    private static final long PRODUCER = 128;
    private static final long CONSUMER = 256;

    private RingIndices() {}

    static MemorySegment ofSends(QueuePair queuePair) {
        return mapping(value(queuePair, "provider"), "sendMapping");
    }

    static MemorySegment ofReceives(QueuePair queuePair) {
        return mapping(value(queuePair, "provider"), "receiveMapping");
    }

    /// To be asked again after a resize.
    static MemorySegment ofCompletions(CompletionQueue queue) {
        return mapping(value(queue, "provider"), "mapping");
    }

    static int producer(MemorySegment ring) {
        return ring.get(ValueLayout.JAVA_INT, PRODUCER);
    }

    static int consumer(MemorySegment ring) {
        return ring.get(ValueLayout.JAVA_INT, CONSUMER);
    }

    private static MemorySegment mapping(Object provider, String field) {
        return (MemorySegment) value(value(provider, field), "segment");
    }

    private static Object value(Object owner, String name) {
        try {
            var field = owner.getClass().getDeclaredField(name);
            field.setAccessible(true);
            return field.get(owner);
        } catch (ReflectiveOperationException | InaccessibleObjectException e) {
            throw new AssertionError(owner.getClass() + " has no field " + name + " any more", e);
        }
    }
}
