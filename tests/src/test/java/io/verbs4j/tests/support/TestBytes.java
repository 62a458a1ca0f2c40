// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import java.lang.foreign.MemorySegment;

/// Bytes that differ from seed to seed and from place to place, so that a byte in the wrong place shows.
public final class TestBytes {
    private TestBytes() {}

    /// The bytes of a seed.
    public static byte[] of(int seed, int length) {
        var bytes = new byte[length];
        int state = seed * 0x9e3779b9 + 1;
        for (int i = 0; i < length; i++) {
            state = state * 1664525 + 1013904223;
            bytes[i] = (byte) (state >>> 24);
        }
        return bytes;
    }

    /// Puts the bytes of a seed into memory.
    public static void fill(MemorySegment memory, int seed) {
        memory.copyFrom(MemorySegment.ofArray(of(seed, (int) memory.byteSize())));
    }

    /// Fails unless memory holds the bytes of a seed.
    public static void assertHolds(MemorySegment memory, int seed) {
        assertSame(memory, of(seed, (int) memory.byteSize()));
    }

    /// Fails unless memory holds these bytes.
    public static void assertSame(MemorySegment memory, byte[] expected) {
        long difference = memory.mismatch(MemorySegment.ofArray(expected));
        if (difference >= 0) {
            throw new AssertionError("byte " + difference + " of " + memory.byteSize() + " differs from what was sent");
        }
    }
}
