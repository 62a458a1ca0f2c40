// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor.acceptance;

import io.verbs4j.tools.common.ToolException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Two queue pairs of one device that are connected with each other.
record Pair(Peer left, Peer right) implements AutoCloseable {
    /// Fills a part of the left memory with bytes derived from a seed, and clears that part of the right memory.
    void prepare(long offset, long length, int seed) {
        fill(left.bytes(offset, length), seed);
        right.bytes(offset, length).fill((byte) 0);
    }

    /// Checks that a part of both memories is equal.
    void requireSame(long offset, long length) {
        requireSame(left.bytes(offset, length), right.bytes(offset, length));
    }

    static void fill(MemorySegment bytes, int seed) {
        for (long i = 0; i < bytes.byteSize(); i++) {
            bytes.set(ValueLayout.JAVA_BYTE, i, (byte) (seed + i * 7 + (i >> 8)));
        }
    }

    static void requireSame(MemorySegment sent, MemorySegment received) {
        long at = sent.mismatch(received);
        if (at >= 0) {
            throw new ToolException("byte " + at + " of " + sent.byteSize() + " arrived damaged");
        }
    }

    @Override
    public void close() {
        try (
                Peer _ = left;
                Peer _ = right) {
            // Closes both, even if one of them fails.
        }
    }
}
