// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import io.verbs4j.abi.UverbsFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A ring's mapping and what ends it. The arena is a shared one: any thread may post or poll, and one that does so
/// after the end gets an `IllegalStateException` instead of crashing the process.
///
/// The kernel keeps ring memory, and with it the whole context, for as long as it is mapped; so an unmapped ring is the
/// last step of destroying an object, and a forgotten one keeps the device from being removed.
///
/// @param segment the mapping
/// @param arena its lifetime
record MappedRing(MemorySegment segment, Arena arena) implements AutoCloseable {
    /// Maps a ring that a command has answered with. That works once; a second try would get `EINVAL`
    /// (`rxe_mmap`, rxe_mmap.c).
    static MappedRing map(UverbsFile file, RxeMminfo info) {
        Arena arena = Arena.ofShared();
        try {
            return new MappedRing(file.map(info.offset(), info.size(), arena), arena);
        } catch (RuntimeException | Error failure) {
            arena.close();
            throw failure;
        }
    }

    /// Unmaps it.
    @Override
    public void close() {
        arena.close();
    }
}
