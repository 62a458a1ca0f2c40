// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import io.verbs4j.MemoryRegion;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The sending side of a stream: writes bytes, writes into mapped memory of the peer, and maps memory of this end. No
/// method waits for the peer. Thread-safe.
final class StreamWriter {
    /// The first message of a write is short, so that the peer begins early. Each following message is twice as long.
    private static final int FIRST_MESSAGE = 2048;

    private static final int LARGEST_MESSAGE = 1 << 16;

    private final StreamProtocol protocol;
    private final MemorySegment ring;
    private final ByteBuffer ringBytes;
    private final OwnMappings own;
    /// Held while bytes are copied into the ring.
    private final ReentrantLock copying = new ReentrantLock();

    StreamWriter(StreamProtocol protocol, StreamMemory memory, OwnMappings own) {
        this.protocol = protocol;
        this.ring = memory.sending();
        this.ringBytes = ring.asByteBuffer();
        this.own = own;
    }

    /// Sends as many bytes as there is room for.
    ///
    /// @param done number of bytes of the same write that were sent before
    /// @return the number of bytes sent; 0 if there is no room
    long write(MemorySegment source, long offset, long length, long done) {
        copying.lock();
        try {
            int message = done == 0 ? FIRST_MESSAGE : LARGEST_MESSAGE;
            long sent = 0;
            while (sent < length) {
                int bytes = begin((int) Math.min(message, length - sent));
                if (bytes == 0) {
                    return sent;
                }
                MemorySegment.copy(source, offset + sent, ring, protocol.out().ringAt(), bytes);
                send(bytes);
                sent += bytes;
                message = Math.min(2 * message, LARGEST_MESSAGE);
            }
            return sent;
        } finally {
            copying.unlock();
        }
    }

    /// Sends as many bytes of the buffers as there is room for, and advances the buffers' positions. Small buffers are
    /// gathered into one message. A buffer that is in the range twice is sent once.
    ///
    /// @return the number of bytes sent
    long write(ByteBuffer[] sources, int first, int count) {
        copying.lock();
        try {
            long length = 0;
            for (int i = first; i < first + count; i++) {
                length += sources[i].remaining();
            }
            if (length == 0) {
                begin(0); // throws if writing is impossible
            }
            int message = FIRST_MESSAGE;
            long sent = 0;
            while (sent < length) {
                int bytes = gather(sources, first, count, begin((int) Math.min(message, length - sent)));
                if (bytes == 0) {
                    return sent;
                }
                send(bytes);
                sent += bytes;
                message = Math.min(2 * message, LARGEST_MESSAGE);
            }
            return sent;
        } finally {
            copying.unlock();
        }
    }

    /// Copies bytes of the buffers into the ring.
    ///
    /// @param room maximum number of bytes
    /// @return the number of bytes copied
    private int gather(ByteBuffer[] sources, int first, int count, int room) {
        int to = protocol.out().ringAt();
        int done = 0;
        for (int i = first; i < first + count && done < room; i++) {
            ByteBuffer source = sources[i];
            int bytes = Math.min(room - done, source.remaining());
            if (bytes > 0) {
                ringBytes.put(to + done, source, source.position(), bytes);
                source.position(source.position() + bytes);
                done += bytes;
            }
        }
        return done;
    }

    /// Returns the size of the next message. The window stays the same while no other thread sends.
    private int begin(int wanted) {
        synchronized (protocol) {
            protocol.requireWritable();
            return protocol.out().next(wanted);
        }
    }

    private void send(int bytes) {
        synchronized (protocol) {
            protocol.requireWritable();
            protocol.sendData(bytes);
        }
    }

    /// Writes bytes into memory that the peer has mapped, in one message.
    ///
    /// @return the number of bytes sent; 0 if there is no room
    int writeMapped(long peerOffset, MemorySegment source, long offset, long length) {
        copying.lock();
        try {
            synchronized (protocol) {
                protocol.requireWritable();
                int room = protocol.out().nextDirect((int) Math.min(length, LARGEST_MESSAGE));
                if (room == 0) {
                    return 0;
                }
                PeerMappings mappings = protocol.mappings();
                int index = mappings.find(peerOffset);
                if (index < 0) {
                    throw StreamFailures.notMapped(peerOffset);
                }
                int bytes = Math.min(room, mappings.left(index, peerOffset));
                MemorySegment.copy(source, offset, ring, protocol.out().ringAt(), bytes);
                protocol.sendDirect(bytes, mappings.address(index, peerOffset), mappings.key(index));
                return bytes;
            }
        } finally {
            copying.unlock();
        }
    }

    /// Maps memory for the peer.
    ///
    /// @return null if the previous mapping has not arrived yet, or there is no credit
    @Nullable
    MemoryRegion map(long offset, int bytes) {
        copying.lock();
        try {
            int index = own.free();
            if (!mayMap()) {
                return null;
            }
            MemoryRegion region = own.allocate(index, bytes);
            synchronized (protocol) {
                protocol.requireWritable();
                protocol.sendMapping(index, offset, region);
            }
            return region;
        } finally {
            copying.unlock();
        }
    }

    private boolean mayMap() {
        synchronized (protocol) {
            protocol.requireWritable();
            return protocol.mayMap();
        }
    }

    /// Waits until no thread copies, and revokes all mappings. The stream must be closed, so that no thread begins to
    /// copy.
    void finish() {
        copying.lock();
        try {
            own.close();
        } finally {
            copying.unlock();
        }
    }
}
