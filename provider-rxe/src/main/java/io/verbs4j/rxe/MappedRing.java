// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import io.verbs4j.abi.command.CommandChannel;
import java.lang.foreign.MemorySegment;

/// A ring's mapping and what ends it.
///
/// The kernel keeps ring memory, and with it the whole context, for as long as it is mapped; so an unmapped ring is the
/// last step of destroying an object, and a forgotten one keeps the device from being removed.
///
/// @param channel of the file that it was mapped from
/// @param segment the mapping
record MappedRing(CommandChannel channel, MemorySegment segment) implements AutoCloseable {
    /// Maps a ring that a command has answered with. That works once; a second try would get `EINVAL`
    /// (`rxe_mmap`, rxe_mmap.c).
    static MappedRing map(CommandChannel channel, RxeMminfo info) {
        return new MappedRing(channel, channel.file().map(info.offset(), info.size()));
    }

    /// Unmaps it, now or with the channel.
    @Override
    public void close() {
        channel.unmap(segment);
    }
}
