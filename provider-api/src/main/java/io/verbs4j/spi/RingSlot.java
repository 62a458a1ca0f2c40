// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

import io.verbs4j.abi.uapi.CStruct;
import java.lang.foreign.MemorySegment;
import java.util.Map;

/// A copy of a ring's slot and its parts: a struct, a tail, and an unused rest.
///
/// @param index the slot's index
/// @param address the slot's address in the ring
/// @param bytes the copy
/// @param struct the first part of the slot
/// @param arms maps the path of each union in the struct to the member in use; the default is the union's first
///     member
/// @param tail the part after the struct
/// @param rest description of the bytes after the tail
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

    /// The part of a slot after the struct.
    public sealed interface Tail {
        /// No tail.
        record None() implements Tail {}

        /// Bytes without further structure.
        ///
        /// @param meaning their description
        record Data(String name, int length, String meaning) implements Tail {}

        /// Structs of one kind.
        record Elements(String name, CStruct struct, int count) implements Tail {}
    }
}
