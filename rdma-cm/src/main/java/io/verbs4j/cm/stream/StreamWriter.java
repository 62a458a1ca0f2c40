// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import io.verbs4j.MemoryRegion;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.ReentrantLock;

/// The side of a stream that sends, one thread at a time: bytes, bytes into the peer's memory, memory of this end, the end of the stream.
final class StreamWriter {
    /// The first message of a write is short, so that the peer begins early; the following ones double.
    private static final int FIRST_MESSAGE = 2048;

    private static final int LARGEST_MESSAGE = 1 << 16;

    /// The kinds of work that threads wait for room for.
    private enum Purpose {
        DATA, DIRECT, MAPPING
    }

    private final RdmaStream owner;
    private final StreamEngine engine;
    private final StreamMemory memory;
    private final OwnMappings own;
    private final long timeout;
    private final ReentrantLock writing = new ReentrantLock();
    private boolean shut; // guarded by the engine's lock

    StreamWriter(RdmaStream owner, StreamEngine engine, StreamMemory memory, OwnMappings own, long timeout) {
        this.owner = owner;
        this.engine = engine;
        this.memory = memory;
        this.own = own;
        this.timeout = timeout;
    }

    void write(MemorySegment source, long offset, long length) throws InterruptedException {
        writing.lockInterruptibly();
        try {
            int message = FIRST_MESSAGE;
            long done = 0;
            while (done < length) {
                int bytes = awaitRoom(Purpose.DATA, (int) Math.min(message, length - done));
                // Nobody else writes, so what the window says stays true.
                MemorySegment.copy(source, offset + done, memory.sending(), engine.out().ringAt(), bytes);
                engine.lock();
                try {
                    owner.requireOpen();
                    engine.sendData(bytes);
                } finally {
                    engine.unlock();
                }
                done += bytes;
                message = Math.min(2 * message, LARGEST_MESSAGE);
            }
        } finally {
            writing.unlock();
        }
    }

    void writeMapped(long peerOffset, MemorySegment source, long offset, long length) throws InterruptedException {
        writing.lockInterruptibly();
        try {
            look();
            for (long done = 0; done < length;) {
                int bytes = awaitRoom(Purpose.DIRECT, (int) Math.min(length - done, LARGEST_MESSAGE));
                done += sendDirect(peerOffset + done, source, offset + done, bytes);
            }
        } finally {
            writing.unlock();
        }
    }

    /// Looks at what the peer has mapped.
    private void look() throws InterruptedException {
        engine.lock();
        try {
            owner.requireOpen();
            engine.pump(0);
        } finally {
            engine.unlock();
        }
    }

    private int sendDirect(long peerOffset, MemorySegment source, long offset, int room) {
        engine.lock();
        try {
            owner.requireOpen();
            PeerMappings mappings = engine.mappings();
            int index = mappings.find(peerOffset);
            if (index < 0) {
                throw StreamFailures.notMapped(peerOffset);
            }
            int bytes = Math.min(room, mappings.left(index, peerOffset));
            MemorySegment.copy(source, offset, memory.sending(), engine.out().ringAt(), bytes);
            engine.sendDirect(bytes, mappings.address(index, peerOffset), mappings.key(index));
            return bytes;
        } finally {
            engine.unlock();
        }
    }

    MemoryRegion map(long offset, int bytes) throws InterruptedException {
        writing.lockInterruptibly();
        try {
            int index = own.free();
            awaitRoom(Purpose.MAPPING, 1);
            MemoryRegion region = own.allocate(index, bytes);
            engine.lock();
            try {
                owner.requireOpen();
                engine.sendMapping(index, offset, region);
            } finally {
                engine.unlock();
            }
            return region;
        } finally {
            writing.unlock();
        }
    }

    private int awaitRoom(Purpose purpose, int wanted) throws InterruptedException {
        engine.lock();
        try {
            long deadline = System.nanoTime() + timeout;
            boolean looked = false;
            while (true) {
                owner.requireOpen();
                if (shut) {
                    throw new IllegalStateException("the output of " + owner + " is shut down");
                }
                engine.requireWritable();
                int bytes = room(purpose, wanted);
                if (bytes > 0) {
                    return bytes;
                }
                long left = deadline - System.nanoTime();
                if (left <= 0 && looked) {
                    throw StreamFailures.timeout("write to stream", "the peer does not read");
                }
                engine.pump(Math.max(0, left));
                looked = true;
            }
        } finally {
            engine.unlock();
        }
    }

    private int room(Purpose purpose, int wanted) {
        return switch (purpose) {
            case DATA -> engine.out().next(wanted);
            case DIRECT -> engine.out().nextDirect(wanted);
            case MAPPING -> engine.isIdle() && engine.out().mayAnnounce() ? wanted : 0;
        };
    }

    void shutdown() throws InterruptedException {
        writing.lockInterruptibly();
        try {
            engine.lock();
            try {
                owner.requireOpen();
                if (!shut) {
                    shut = true;
                    sendEnd(Immediate.SHUTDOWN, System.nanoTime() + timeout);
                }
            } finally {
                engine.unlock();
            }
        } finally {
            writing.unlock();
        }
    }

    /// Sends the end of the stream, or of this direction of it, if the peer can still hear of it before the deadline; with the engine's
    /// lock.
    void sendEnd(int how, long deadline) throws InterruptedException {
        while (engine.isStanding() && !engine.canControl()) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return;
            }
            engine.pump(left);
        }
        if (engine.isStanding()) {
            engine.sendEnd(how);
        }
    }

    /// Frees the memory as soon as no thread writes any more.
    ///
    /// @param first ends the queue pair
    void finish(Runnable first) {
        writing.lock();
        try {
            first.run();
            own.close();
            memory.close();
        } finally {
            writing.unlock();
        }
    }
}
