// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import io.verbs4j.cm.ConnectionGroup;
import io.verbs4j.types.Errno;
import io.verbs4j.types.Ranges;
import io.verbs4j.types.ResourceLimitException;
import java.util.concurrent.atomic.AtomicLong;

/// A set of streams that share the open devices, one channel of the connection manager, one completion channel a device, and a limit of
/// the memory for their rings. A stream of a group needs no descriptor of its own, and its completions are taken by a thread of
/// the group when no thread of the program does.
///
/// Nothing is opened before the first stream. Thread-safe. Close it after its streams.
public final class StreamGroup implements AutoCloseable {
    private final ConnectionGroup connections = ConnectionGroup.create();
    private final long maxRingBytes;
    private final AtomicLong ringBytes = new AtomicLong();

    private StreamGroup(long maxRingBytes) {
        this.maxRingBytes = maxRingBytes;
    }

    /// Returns a group without streams.
    ///
    /// @param maxRingBytes how many bytes the rings of all streams may have together; locked memory, as `ulimit -l` counts it
    public static StreamGroup create(long maxRingBytes) {
        Ranges.check("maxRingBytes", maxRingBytes, 1, Long.MAX_VALUE);
        return new StreamGroup(maxRingBytes);
    }

    ConnectionGroup connections() {
        return connections;
    }

    /// Returns how many bytes the rings of all streams have at present.
    public long ringBytes() {
        return ringBytes.get();
    }

    /// Takes memory from what is left.
    ///
    /// @throws ResourceLimitException if that is less
    void reserve(long bytes) {
        long before = ringBytes.getAndAdd(bytes);
        if (before + bytes > maxRingBytes) {
            ringBytes.getAndAdd(-bytes);
            throw new ResourceLimitException(
                    "allocate rings of a stream",
                    Errno.ENOMEM,
                    before + " of " + maxRingBytes + " bytes are in use by other streams of the group, and " + bytes
                            + " are needed; raise the limit, or use smaller rings (StreamOptions.withBuffers)");
        }
    }

    void release(long bytes) {
        ringBytes.getAndAdd(-bytes);
    }

    /// Refuses further streams, and ends those that stand. Idempotent.
    @Override
    public void close() {
        connections.close();
    }
}
