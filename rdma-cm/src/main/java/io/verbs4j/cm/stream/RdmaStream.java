// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import io.verbs4j.MemoryRegion;
import io.verbs4j.types.VerbsException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// A byte stream in both directions over a reliable connection. The stream uses the protocol of librdmacm's rsockets,
/// so the peer may be a C program.
///
/// Thread-safe. One thread may read while another thread writes. The bytes of one write stay together: other writers
/// wait until the write is finished. The stream may be closed at any time. After a warm-up, reading and writing
/// allocate nothing on a real device, unless several threads write.
///
/// After the peer has ended, this end can still read all bytes that the peer has written. After the last byte, [#read]
/// returns -1 if the peer has closed the stream or shut down its output. If the peer's program has died, [#read] throws
/// `ECONNRESET`.
public final class RdmaStream implements AutoCloseable {
    private final StreamEndpoint endpoint;
    private final long timeout;
    private final ReentrantLock writing = new ReentrantLock();

    private RdmaStream(StreamEndpoint endpoint, StreamOptions options) {
        this.endpoint = endpoint;
        this.timeout = TimeUnit.NANOSECONDS.convert(options.timeout());
    }

    /// Connects with the default options.
    ///
    /// @see #connect(InetSocketAddress, StreamOptions)
    public static RdmaStream connect(InetSocketAddress address) throws InterruptedException {
        return connect(address, StreamOptions.defaults());
    }

    /// Connects.
    ///
    /// @param address a resolved address of an RDMA device; never 127.0.0.1 or ::1
    /// @throws io.verbs4j.cm.ConnectionRejectedException if no server listens there, or the peer uses another protocol
    ///     and rejects
    /// @throws VerbsException if anything else fails, as in [io.verbs4j.cm.RdmaConnection#connect]; `EPROTONOSUPPORT`
    ///     if the peer uses another protocol or version
    public static RdmaStream connect(InetSocketAddress address, StreamOptions options) throws InterruptedException {
        return new RdmaStream(StreamEndpoint.connect(address, options), options);
    }

    /// Adopts an accepted endpoint.
    static RdmaStream of(StreamEndpoint endpoint, StreamOptions options) {
        return new RdmaStream(endpoint, options);
    }

    /// Reads at least one byte. Waits if no byte has arrived.
    ///
    /// @param target its bytes from `offset` on are overwritten
    /// @param length maximum number of bytes, at least 1
    /// @return the number of bytes read; -1 at the end of the stream
    /// @throws VerbsException `ETIMEDOUT` after the options' timeout, `ECONNRESET` if the peer has died, `EPROTO` if
    ///     the peer violates the protocol
    /// @throws IllegalStateException if the stream is closed, even during this call
    public int read(MemorySegment target, long offset, int length) throws InterruptedException {
        Objects.checkFromIndexSize(offset, length, target.byteSize());
        if (length == 0) {
            return 0;
        }
        int bytes = endpoint.reader().read(target, offset, length);
        while (bytes == 0) {
            await(Readiness.READ, "read from stream", "the peer has sent nothing");
            bytes = endpoint.reader().read(target, offset, length);
        }
        return bytes;
    }

    /// Reads bytes that have arrived. Does not wait. A loop of this call receives bytes sooner than a thread that
    /// waits in [#read(MemorySegment, long, int)], but the loop occupies a processor.
    ///
    /// @param length maximum number of bytes
    /// @return the number of bytes read; 0 if none has arrived, -1 at the end of the stream
    /// @throws VerbsException as [#read(MemorySegment, long, int)], but not `ETIMEDOUT`
    /// @throws IllegalStateException if the stream is closed
    public int readNow(MemorySegment target, long offset, int length) {
        Objects.checkFromIndexSize(offset, length, target.byteSize());
        if (length == 0) {
            return 0;
        }
        int bytes = endpoint.reader().read(target, offset, length);
        if (bytes == 0) {
            endpoint.poll();
            bytes = endpoint.reader().read(target, offset, length);
        }
        return bytes;
    }

    private void await(int wanted, String operation, String hint) throws InterruptedException {
        if (!endpoint.pump().await(wanted, timeout)) {
            throw StreamFailures.timeout(operation, hint);
        }
    }

    private void awaitWriting(int wanted) throws InterruptedException {
        await(wanted, "write to stream", "the peer does not read");
    }

    /// Reads at least one byte, and at most as many as the segment can hold, as [#read(MemorySegment, long, int)] does.
    public int read(MemorySegment target) throws InterruptedException {
        return read(target, 0, (int) Math.min(target.byteSize(), Integer.MAX_VALUE));
    }

    /// Returns the number of bytes that can be read without waiting.
    public int available() {
        return endpoint.available();
    }

    /// Writes bytes. Waits for room at the peer, and returns when all bytes are handed to the device.
    ///
    /// @param source its bytes are copied
    /// @throws VerbsException `ETIMEDOUT` if there was no room within the options' timeout (part of the bytes may have
    ///     been sent), `ECONNRESET` if the peer has closed the stream or died, `EPROTO` if the peer violates the
    ///     protocol
    /// @throws IllegalStateException if the stream or its output is closed, even during this call
    public void write(MemorySegment source, long offset, long length) throws InterruptedException {
        Objects.checkFromIndexSize(offset, length, source.byteSize());
        writing.lockInterruptibly();
        try {
            long done = endpoint.writer().write(source, offset, length, 0);
            while (done < length) {
                awaitWriting(Readiness.WRITE);
                done += endpoint.writer().write(source, offset + done, length - done, done);
            }
        } finally {
            writing.unlock();
        }
    }

    /// Writes the whole segment, as [#write(MemorySegment, long, long)] does.
    public void write(MemorySegment source) throws InterruptedException {
        write(source, 0, source.byteSize());
    }

    /// Allocates memory that the peer may write to directly, without notifying this end (`riomap` of rsockets). Closing
    /// the region or the stream revokes the mapping.
    ///
    /// A peer that uses librdmacm never returns the credit of a mapping (`RS_OP_IOMAP_SGL` in librdmacm/rsocket.c).
    /// With such a peer, reuse one region: after hundreds of mappings, further mappings and writes wait indefinitely.
    ///
    /// @param offset the offset by which the peer addresses the first byte of the memory
    /// @param bytes size of the memory, at least 1
    /// @throws VerbsException `ENOSPC` if the peer has no room for another mapping, others as [#write]
    public MemoryRegion map(long offset, int bytes) throws InterruptedException {
        writing.lockInterruptibly();
        try {
            MemoryRegion region = endpoint.writer().map(offset, bytes);
            while (region == null) {
                awaitWriting(Readiness.MAP);
                region = endpoint.writer().map(offset, bytes);
            }
            return region;
        } finally {
            writing.unlock();
        }
    }

    /// Writes bytes into memory that the peer has mapped (`riowrite` of rsockets). The bytes appear in the peer's
    /// memory, without a notification. Bytes written to the stream afterwards arrive later.
    ///
    /// @param peerOffset the offset that the peer has assigned
    /// @throws VerbsException `EINVAL` if the peer has mapped nothing there, others as [#write]
    public void writeMapped(long peerOffset, MemorySegment source, long offset, long length)
            throws InterruptedException {
        Objects.checkFromIndexSize(offset, length, source.byteSize());
        writing.lockInterruptibly();
        try {
            endpoint.poll(); // the peer may have mapped memory
            for (long done = 0; done < length;) {
                int bytes =
                        endpoint.writer().writeMapped(peerOffset + done, source, offset + done, length - done);
                if (bytes == 0) {
                    awaitWriting(Readiness.WRITE_MAPPED);
                }
                done += bytes;
            }
        } finally {
            writing.unlock();
        }
    }

    /// Ends output: the peer reads the end of the stream. This end can still read. Idempotent.
    public void shutdownOutput() throws InterruptedException {
        writing.lockInterruptibly();
        try {
            endpoint.shutdownOutput();
        } finally {
            writing.unlock();
        }
    }

    /// Returns the stream's input. Its methods throw [java.io.IOException] with the cause, and
    /// [java.io.InterruptedIOException] if the thread is interrupted. Closing the input closes the stream.
    public InputStream inputStream() {
        return new StreamInput(this);
    }

    /// Returns the stream's output, which does not buffer. Its methods throw the same exceptions as the
    /// [input][#inputStream()]. Closing the output closes the stream.
    public OutputStream outputStream() {
        return new StreamOutput(this);
    }

    /// Returns the local address and port.
    public InetSocketAddress localAddress() {
        return endpoint.localAddress();
    }

    /// Returns the peer's address and port.
    public InetSocketAddress peerAddress() {
        return endpoint.peerAddress();
    }

    /// Sends a disconnect message, waits for at most the options' drain time until all written bytes have arrived, and
    /// ends the connection. An interrupt during the wait ends the wait. Threads that read or write get an
    /// [IllegalStateException]. Idempotent. [StreamEndpoint#close()] closes without waiting.
    @Override
    public void close() {
        endpoint.closeAndWait();
    }

    @Override
    public String toString() {
        return endpoint.toString();
    }
}
