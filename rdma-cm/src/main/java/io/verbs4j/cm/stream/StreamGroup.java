// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import io.verbs4j.cm.ConnectionGroup;
import io.verbs4j.types.Errno;
import io.verbs4j.types.Ranges;
import io.verbs4j.types.ResourceLimitException;
import java.util.concurrent.atomic.AtomicLong;

/// A set of streams that share open devices, one channel of the connection manager, and a memory limit for their rings.
/// A stream of a group has one file descriptor. A thread of verbs4j polls the completions of streams that no thread of
/// the program polls.
///
/// The first stream opens the shared objects. Thread-safe. Close the group after its streams.
public final class StreamGroup implements AutoCloseable {
    private final ConnectionGroup connections = ConnectionGroup.create();
    private final long maxRingBytes;
    private final AtomicLong ringBytes = new AtomicLong();

    private StreamGroup(long maxRingBytes) {
        this.maxRingBytes = maxRingBytes;
    }

    /// Returns a group without streams.
    ///
    /// @param maxRingBytes maximum total size of the rings of all streams, in bytes of locked memory as `ulimit -l`
    ///     counts it
    public static StreamGroup create(long maxRingBytes) {
        Ranges.check("maxRingBytes", maxRingBytes, 1, Long.MAX_VALUE);
        return new StreamGroup(maxRingBytes);
    }

    ConnectionGroup connections() {
        return connections;
    }

    /// Returns the current total size of the rings of all streams, in bytes.
    public long ringBytes() {
        return ringBytes.get();
    }

    /// Reserves ring memory. A refused call never reduces what other threads can reserve meanwhile.
    ///
    /// @throws ResourceLimitException if less is available
    void reserve(long bytes) {
        ringBytes.updateAndGet(before -> {
            if (bytes > maxRingBytes - before) {
                throw new ResourceLimitException(
                        "allocate rings of a stream",
                        Errno.ENOMEM,
                        before + " of " + maxRingBytes + " bytes are in use by other streams of the group, and " + bytes
                                + " are needed; raise the limit, or use smaller rings (StreamOptions.withBuffers)");
            }
            return before + bytes;
        });
    }

    void release(long bytes) {
        ringBytes.getAndAdd(-bytes);
    }

    /// Rejects further streams, and ends the streams that this end has connected. Accepted streams continue.
    /// Idempotent.
    @Override
    public void close() {
        connections.close();
    }
}
