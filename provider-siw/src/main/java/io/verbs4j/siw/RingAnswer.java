// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.siw;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.MemorySegment;

/// Reads the kernel's response about a new ring: the number of slots, and the mapping offset.
final class RingAnswer {
    /// Exceeds the number of slots of any siw ring. The size of a ring with this number of slots cannot overflow.
    private static final int MAX_SLOTS = 1 << 24;

    private RingAnswer() {}

    /// Reads the number of slots.
    ///
    /// @param name the ring's name for errors
    /// @throws VerbsException if the number is not a power of two, because of another driver or another version of its
    ///     ABI
    static int slots(String name, MemorySegment answer, CStruct struct, String field) {
        int slots = answer.get(JAVA_INT, struct.offset(field));
        if (slots < 1 || slots > MAX_SLOTS || (slots & (slots - 1)) != 0) {
            throw new VerbsException(
                    "map " + name,
                    Errno.EPROTO,
                    "invalid answer of the kernel: " + field + "=" + Integer.toUnsignedString(slots)
                            + " is not a power of two");
        }
        return slots;
    }

    /// Reads the offset argument of mmap.
    static long key(MemorySegment answer, CStruct struct, String field) {
        return answer.get(JAVA_LONG, struct.offset(field));
    }
}
