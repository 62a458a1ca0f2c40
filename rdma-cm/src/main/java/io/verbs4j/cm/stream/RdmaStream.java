// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import io.verbs4j.MemoryRegion;
import io.verbs4j.cm.IncomingConnection;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.types.VerbsException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/// A stream of bytes each way, over a reliable connection, by the protocol of librdmacm's rsockets: the peer may be C.
///
/// Thread-safe. One thread reads and another writes at the same time; further readers wait for the reader, further writers for the
/// writer. It may be closed at any time. Reading and writing make no objects as long as they need not wait.
///
/// The peer's end: what it has written before is read first. Then [#read] returns -1 if the peer has closed or shut down its side, and
/// throws `ECONNRESET` if its program has died.
public final class RdmaStream implements AutoCloseable {
    private static final Duration MOST = Duration.ofDays(10_000);

    private final RdmaConnection connection;
    private final StreamMemory memory;
    private final StreamEngine engine;
    private final long timeout;
    private final long drain;
    private final ReentrantLock reading = new ReentrantLock();
    private final StreamWriter writer;
    private boolean closed; // guarded by the engine's lock

    private RdmaStream(RdmaConnection connection, StreamMemory memory, Greeting peer, StreamOptions options) {
        this.connection = connection;
        this.memory = memory;
        this.engine = new StreamEngine(
                connection.queuePair(), connection.completionQueue(), memory, peer, options);
        this.timeout = nanos(options.timeout());
        this.drain = nanos(options.drain());
        this.writer = new StreamWriter(
                this, engine, memory, new OwnMappings(connection.protectionDomain(), peer.mappings()), timeout);
        engine.lock();
        try {
            engine.giveCredits(); // the second half of the ring
        } finally {
            engine.unlock();
        }
    }

    private static long nanos(Duration duration) {
        return duration.compareTo(MOST) >= 0 ? MOST.toNanos() : Math.max(0, duration.toNanos());
    }

    /// Connects with the default options.
    ///
    /// @see #connect(InetSocketAddress, StreamOptions)
    public static RdmaStream connect(InetSocketAddress address) throws InterruptedException {
        return connect(address, StreamOptions.defaults());
    }

    /// Connects.
    ///
    /// @param address resolved, of an RDMA device; never 127.0.0.1 or ::1
    /// @throws io.verbs4j.cm.ConnectionRejectedException if nobody listens there, or the peer speaks no such protocol and rejects
    /// @throws VerbsException if anything else fails, as in [RdmaConnection#connect]; `EPROTONOSUPPORT` if the peer speaks another protocol
    ///     or version
    public static RdmaStream connect(InetSocketAddress address, StreamOptions options) throws InterruptedException {
        var setup = new StreamSetup(options);
        RdmaConnection connection;
        try {
            connection = RdmaConnection.connect(address, setup.connectionOptions());
        } catch (RuntimeException | InterruptedException | Error e) {
            setup.close();
            throw e;
        }
        try {
            return new RdmaStream(
                    connection, setup.memory(), Greeting.decode(connection.privateData()), options);
        } catch (RuntimeException | Error e) {
            end(connection, setup);
            throw e;
        }
    }

    /// Accepts a request.
    static RdmaStream accept(IncomingConnection request, Greeting peer, StreamOptions options)
            throws InterruptedException {
        var setup = new StreamSetup(options);
        RdmaConnection connection;
        try {
            connection = request.accept(setup.connectionOptions());
        } catch (RuntimeException | InterruptedException | Error e) {
            setup.close();
            throw e;
        }
        try {
            return new RdmaStream(connection, setup.memory(), peer, options);
        } catch (RuntimeException | Error e) {
            end(connection, setup);
            throw e;
        }
    }

    private static void end(RdmaConnection connection, StreamSetup setup) {
        try {
            connection.queuePair().close();
            setup.close();
        } finally {
            connection.close();
        }
    }

    /// Reads bytes, at least one, and waits for it if none is there.
    ///
    /// @param target its bytes from `offset` on are overwritten
    /// @param length the most that is read, at least 1
    /// @return how many were read; -1 at the end of the stream
    /// @throws VerbsException `ETIMEDOUT` after the options' timeout, `ECONNRESET` if the peer has died, `EPROTO` if it breaks the protocol
    /// @throws IllegalStateException if the stream is closed, also while the thread waits
    public int read(MemorySegment target, long offset, int length) throws InterruptedException {
        Objects.checkFromIndexSize(offset, length, target.byteSize());
        if (length == 0) {
            return 0;
        }
        reading.lockInterruptibly();
        try {
            int bytes = awaitBytes();
            if (bytes < 0) {
                return bytes;
            }
            int taken = Math.min(bytes, length);
            // The peer writes nothing here before the engine offers it again; nobody else reads.
            MemorySegment.copy(memory.ring(), engine.in().readAt(), target, offset, taken);
            engine.lock();
            try {
                engine.in().read(taken);
                engine.giveCredits();
            } finally {
                engine.unlock();
            }
            return taken;
        } finally {
            reading.unlock();
        }
    }

    private int awaitBytes() throws InterruptedException {
        engine.lock();
        try {
            long deadline = System.nanoTime() + timeout;
            boolean looked = false;
            while (true) {
                requireOpen();
                int bytes = engine.in().readable();
                if (bytes > 0) {
                    return bytes;
                }
                if (engine.isInputEnded()) {
                    return -1;
                }
                engine.requireReadable();
                long left = deadline - System.nanoTime();
                if (left <= 0 && looked) {
                    throw StreamFailures.timeout("read from stream", "the peer has sent nothing");
                }
                engine.pump(Math.max(0, left));
                looked = true;
            }
        } finally {
            engine.unlock();
        }
    }

    /// Reads bytes into the whole segment, as [#read(MemorySegment, long, int)] does.
    public int read(MemorySegment target) throws InterruptedException {
        return read(target, 0, (int) Math.min(target.byteSize(), Integer.MAX_VALUE));
    }

    /// Returns how many bytes can be read without waiting, as far as was seen yet.
    public int available() {
        engine.lock();
        try {
            return engine.in().waiting();
        } finally {
            engine.unlock();
        }
    }

    /// Writes bytes. Returns when they are handed to the device; waits before that for room at the peer.
    ///
    /// @param source its bytes are copied
    /// @throws VerbsException `ETIMEDOUT` if there was no room for the options' timeout (part of the bytes may have been sent),
    ///     `ECONNRESET` if the peer has closed the stream or died, `EPROTO` if it breaks the protocol
    /// @throws IllegalStateException if the stream or its output is closed, also while the thread waits
    public void write(MemorySegment source, long offset, long length) throws InterruptedException {
        Objects.checkFromIndexSize(offset, length, source.byteSize());
        writer.write(source, offset, length);
    }

    /// Allocates memory that the peer may write to directly, without this end hearing of it (`riomap` of rsockets). Close the region to take it
    /// back; closing the stream does so, too.
    ///
    /// @param offset by which the peer calls its first byte
    /// @param bytes its size, at least 1
    /// @throws VerbsException `ENOSPC` if the peer has no room for a further mapping, others as [#write]
    public MemoryRegion map(long offset, int bytes) throws InterruptedException {
        return writer.map(offset, bytes);
    }

    /// Writes bytes into memory that the peer has mapped (`riowrite` of rsockets). The peer's program sees them in its memory, and hears
    /// nothing; what is written to the stream afterwards arrives after them.
    ///
    /// @param peerOffset where, by the peer's own count
    /// @throws VerbsException `EINVAL` if the peer has mapped nothing there, others as [#write]
    public void writeMapped(long peerOffset, MemorySegment source, long offset, long length)
            throws InterruptedException {
        Objects.checkFromIndexSize(offset, length, source.byteSize());
        writer.writeMapped(peerOffset, source, offset, length);
    }

    /// Writes the whole segment, as [#write(MemorySegment, long, long)] does.
    public void write(MemorySegment source) throws InterruptedException {
        write(source, 0, source.byteSize());
    }

    /// Says that nothing more will be written: the peer reads the end of the stream. Reading goes on. Any number of times.
    public void shutdownOutput() throws InterruptedException {
        writer.shutdown();
    }

    void requireOpen() {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    /// Returns the stream's input. Its methods throw [java.io.IOException] with the cause, and
    /// [java.io.InterruptedIOException] if the thread is interrupted; closing it closes the stream.
    public InputStream inputStream() {
        return new StreamInput(this);
    }

    /// Returns the stream's output, which buffers nothing. Its methods throw as those of [#inputStream()] do; closing it closes
    /// the stream.
    public OutputStream outputStream() {
        return new StreamOutput(this);
    }

    /// Returns our address and port.
    public InetSocketAddress localAddress() {
        return connection.localAddress();
    }

    /// Returns the peer's address and port.
    public InetSocketAddress peerAddress() {
        return connection.peerAddress();
    }

    /// Says farewell, waits until all that was written has arrived, as long as the options' drain allows, and ends the connection. Threads
    /// that read or write get an [IllegalStateException]. Any number of times.
    @Override
    public void close() {
        engine.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            farewell();
        } finally {
            engine.wake();
            engine.unlock();
        }
        try {
            endConnection();
        } finally {
            reading.lock();
            try {
                writer.finish(connection.queuePair()::close);
            } finally {
                reading.unlock();
                connection.close();
            }
        }
    }

    private void farewell() {
        long deadline = System.nanoTime() + drain;
        try {
            writer.sendEnd(Immediate.DISCONNECT, deadline);
            while (engine.isStanding() && !engine.isIdle() && deadline - System.nanoTime() > 0) {
                engine.pump(deadline - System.nanoTime());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IllegalStateException e) {
            // The device is gone: there is nobody to say farewell to.
            return;
        }
    }

    private void endConnection() {
        try {
            connection.disconnect();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return "stream over " + connection;
    }
}
