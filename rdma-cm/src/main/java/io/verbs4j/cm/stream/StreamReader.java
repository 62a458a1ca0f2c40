// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;

/// The receiving side of a stream. No method waits for the peer. Thread-safe.
final class StreamReader {
    private final StreamProtocol protocol;
    private final MemorySegment ring;
    private final ByteBuffer ringBytes;
    /// Held while bytes are copied from the ring.
    private final ReentrantLock copying = new ReentrantLock();

    StreamReader(StreamProtocol protocol, StreamMemory memory) {
        this.protocol = protocol;
        this.ring = memory.ring();
        this.ringBytes = ring.asByteBuffer();
    }

    /// Reads bytes that have arrived, at most `length`.
    ///
    /// @param length at least 1
    /// @return the number of bytes read; 0 if none has arrived, -1 at the end of the stream
    int read(MemorySegment target, long offset, int length) {
        copying.lock();
        try {
            int done = 0;
            while (done < length) {
                int bytes = begin(length - done, done);
                if (bytes <= 0) {
                    return done > 0 ? done : bytes;
                }
                MemorySegment.copy(ring, protocol.in().readAt(), target, offset + done, bytes);
                end(bytes);
                done += bytes;
            }
            return done;
        } finally {
            copying.unlock();
        }
    }

    /// Reads bytes that have arrived, up to the buffer's limit. Returns the results of
    /// [#read(MemorySegment, long, int)].
    ///
    /// @param target with at least one byte of room
    int read(ByteBuffer target) {
        copying.lock();
        try {
            int done = 0;
            while (target.hasRemaining()) {
                int bytes = begin(target.remaining(), done);
                if (bytes <= 0) {
                    return done > 0 ? done : bytes;
                }
                target.put(target.position(), ringBytes, protocol.in().readAt(), bytes);
                target.position(target.position() + bytes);
                end(bytes);
                done += bytes;
            }
            return done;
        } finally {
            copying.unlock();
        }
    }

    /// Returns the number of bytes that can be copied at once.
    private int begin(int wanted, int done) {
        synchronized (protocol) {
            protocol.requireOpen();
            if (protocol.isInputShut()) {
                return -1;
            }
            int bytes = Math.min(wanted, protocol.in().readable());
            if (bytes > 0 || done > 0) {
                return bytes;
            }
            if (protocol.state().isInputEnded()) {
                return -1;
            }
            protocol.requireReadable();
            return 0;
        }
    }

    private void end(int bytes) {
        synchronized (protocol) {
            protocol.read(bytes);
        }
    }

    /// Returns the number of bytes that have arrived and can be read.
    int available() {
        synchronized (protocol) {
            return protocol.isInputShut() ? 0 : protocol.in().waiting();
        }
    }

    /// Waits until no thread copies, and runs an action. The stream must be closed, so that no thread begins to copy.
    void finish(Runnable action) {
        copying.lock();
        try {
            action.run();
        } finally {
            copying.unlock();
        }
    }
}
