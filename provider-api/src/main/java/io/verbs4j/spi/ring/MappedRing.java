// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi.ring;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.Made;
import java.lang.foreign.MemorySegment;

/// A ring's mapping and its end.
///
/// The kernel keeps ring memory, and with it the whole context, for as long as it is mapped; so an unmapped ring is the
/// last step of destroying an object, and a forgotten one keeps the device from being removed.
///
/// @param channel of the file that it was mapped from
/// @param segment the mapping
public record MappedRing(CommandChannel channel, MemorySegment segment) implements AutoCloseable {
    /// Maps a ring that a command has answered with. Drivers honour an answer once; a second try gets `EINVAL`.
    ///
    /// @param offset the driver's token for the ring
    /// @param bytes of the ring
    public static MappedRing map(CommandChannel channel, long offset, long bytes) {
        return Made.keep(
                () -> channel.file().map(offset, bytes), ring -> new MappedRing(channel, ring), channel::unmap);
    }

    /// Unmaps it, now or with the channel.
    @Override
    public void close() {
        channel.unmap(segment);
    }
}
