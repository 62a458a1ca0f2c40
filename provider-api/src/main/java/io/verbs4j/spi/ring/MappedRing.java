// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi.ring;

import io.verbs4j.abi.command.CommandChannel;
import java.lang.foreign.MemorySegment;

/// The mapping of a ring.
///
/// As long as a ring is mapped, the kernel keeps the ring's memory and the whole context. Therefore, unmapping is the
/// last step of destroying an object. A ring that is never unmapped prevents the removal of the device.
///
/// @param channel the channel of the file from which the ring was mapped
/// @param segment the mapping
public record MappedRing(CommandChannel channel, MemorySegment segment) implements AutoCloseable {
    /// Maps a ring that a command has returned. Drivers accept each token once. A second attempt fails with `EINVAL`.
    ///
    /// @param offset the driver's token for the ring
    /// @param bytes size of the ring
    public static MappedRing map(CommandChannel channel, long offset, long bytes) {
        // The record is allocated before its components are computed, so that a lack of heap cannot leak the mapping.
        return new MappedRing(channel, channel.file().map(offset, bytes));
    }

    /// Unmaps the ring. If the kernel refuses, closing the channel unmaps the ring.
    @Override
    public void close() {
        channel.unmap(segment);
    }
}
