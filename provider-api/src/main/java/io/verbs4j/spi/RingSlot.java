// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

import io.verbs4j.abi.uapi.CStruct;
import java.lang.foreign.MemorySegment;
import java.util.Map;

/// A copy of a slot of a ring, and what lies in it: a struct, a tail, and a rest that is not in use.
///
/// @param index which slot
/// @param address where it lies in the ring
/// @param bytes the copy
/// @param struct what it starts with
/// @param arms for each union in the struct the arm that counts, by their paths; the first one otherwise
/// @param tail what follows the struct
/// @param rest what the bytes behind the tail are
public record RingSlot(
        int index,
        long address,
        MemorySegment bytes,
        CStruct struct,
        Map<String, String> arms,
        Tail tail,
        String rest) {
    /// Copies the map.
    public RingSlot {
        arms = Map.copyOf(arms);
    }

    /// The part of a slot behind the struct.
    public sealed interface Tail {
        /// Nothing.
        record None() implements Tail {}

        /// Bytes without further structure.
        ///
        /// @param meaning what they are
        record Data(String name, int length, String meaning) implements Tail {}

        /// Structs of one kind.
        record Elements(String name, CStruct struct, int count) implements Tail {}
    }
}
