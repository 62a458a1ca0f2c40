// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.soak;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.verbs4j.types.QueuePairType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Numbered messages from one queue pair to another. Stream, number and position determine each word.
final class MessageStream {
    static final int MAX_WORDS = 16;

    private static final int NUMBER_BITS = 36;
    private static final long FACTOR = 0x9E3779B97F4A7C15L;

    /// Bounds how far an unreliable message of one packet may be overtaken. The wire's two ends run on any processor,
    /// and rxe accepts a packet that begins a message regardless of its number (`check_psn`, rxe_resp.c).
    private static final int WINDOW = 1024;

    private final int id;
    private final Pipe.Kind kind;
    /// Guarded by the lock of the sender's queue.
    private long next;
    /// Guarded by the lock of the receiver's completion queue.
    private long expected;
    /// The last unreliable messages that arrived, by number modulo [#WINDOW]; guarded by the same lock.
    private final long[] arrived;

    MessageStream(int id, Pipe.Kind kind) {
        this.id = id;
        this.kind = kind;
        this.arrived = new long[kind.type == QueuePairType.RC ? 0 : WINDOW];
        Arrays.fill(arrived, -1);
    }

    int id() {
        return id;
    }

    long next() {
        return next;
    }

    /// Takes the numbers from `number` on back: those messages were not posted.
    void backTo(long number) {
        next = number;
    }

    /// Writes the next message.
    void write(MemorySegment memory, long offset, int words) {
        long head = (long) id << NUMBER_BITS | next++;
        memory.set(JAVA_LONG, offset, head);
        for (int i = 1; i < words; i++) {
            memory.set(JAVA_LONG, offset + 8L * i, (head + i) * FACTOR);
        }
    }

    /// Returns the stream that a message says it belongs to.
    static int streamOf(MemorySegment memory, long offset) {
        return (int) (memory.get(JAVA_LONG, offset) >>> NUMBER_BITS);
    }

    /// Checks a message that has arrived: it is whole, and the one that follows the last.
    void arrived(MemorySegment memory, long offset, int bytes) {
        long head = memory.get(JAVA_LONG, offset);
        for (int i = 1; i < bytes / 8; i++) {
            if (memory.get(JAVA_LONG, offset + 8L * i) != (head + i) * FACTOR) {
                throw new AssertionError(
                        "word " + i + " of " + bytes + " bytes of message " + Long.toHexString(head) + " is wrong");
            }
        }
        long number = head & ((1L << NUMBER_BITS) - 1);
        if (kind.type != QueuePairType.RC) {
            unreliablyArrived(number);
            return;
        }
        long before = expected;
        expected = number + 1;
        if (number != before) {
            throw new AssertionError(kind + ": message " + number + " of stream " + id + " arrived, and " + before
                    + (number < before ? " was next: it came twice, or late" : " is lost"));
        }
    }

    private void unreliablyArrived(long number) {
        int place = (int) (number % WINDOW);
        if (arrived[place] >= number) {
            throw new AssertionError(
                    kind + ": message " + number + " of stream " + id + " came twice, or much later than "
                            + arrived[place]);
        }
        arrived[place] = number;
    }
}
