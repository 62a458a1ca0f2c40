// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import io.verbs4j.cm.CompletionWatch;
import io.verbs4j.cm.stream.StreamEndpoint;
import io.verbs4j.sockets.SocketRules.Transport;
import io.verbs4j.types.VerbsException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A connection over RDMA, with the exceptions and the blocking of a channel.
final class RdmaSide implements SocketSide {
    private static final Duration LONG = Duration.ofDays(365);
    private static final String TIMED_OUT = "Read timed out";
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    private final MixedChannel owner;
    private final StreamEndpoint endpoint;
    private final InetSocketAddress localAddress;
    private final InetSocketAddress peerAddress;
    private final ReentrantLock reading = new ReentrantLock();
    private final ReentrantLock writing = new ReentrantLock();
    /// Passes a single buffer to a read without allocating an array. Guarded by `reading`.
    private final ByteBuffer[] oneTarget = {NONE};
    /// Guarded by `writing`.
    private final ByteBuffer[] oneSource = {NONE};
    /// The timeout of the last read with a timeout, for reads with the same timeout. Guarded by `reading`.
    private Duration timeout = LONG;
    private volatile boolean inputShutdown;
    private volatile boolean outputShutdown;

    RdmaSide(MixedChannel owner, StreamEndpoint endpoint) {
        this.owner = owner;
        this.endpoint = endpoint;
        this.localAddress = endpoint.localAddress();
        this.peerAddress = endpoint.peerAddress();
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        return target.hasRemaining() ? (int) transfer(true, target) : 0;
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        return hasRoom(targets, offset, length) ? locked(true, targets, offset, length) : 0;
    }

    @Override
    public int read(byte[] target, int offset, int length, int millis) throws IOException {
        return (int) transfer(true, target, offset, length, millis);
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        requireOutput();
        return (int) transfer(false, source);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        requireOutput();
        return locked(false, sources, offset, length);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        requireOutput();
        transfer(false, source, offset, length, 0);
    }

    private void requireOutput() throws ClosedChannelException {
        if (outputShutdown) {
            throw new ClosedChannelException();
        }
    }

    private long locked(boolean reads, ByteBuffer[] buffers, int offset, int length) throws IOException {
        ReentrantLock lock = reads ? reading : writing;
        lock.lock();
        try {
            return transfer(reads, buffers, offset, length, 0);
        } finally {
            lock.unlock();
        }
    }

    private long transfer(boolean reads, ByteBuffer buffer) throws IOException {
        ReentrantLock lock = reads ? reading : writing;
        ByteBuffer[] one = reads ? oneTarget : oneSource;
        lock.lock();
        try {
            one[0] = buffer;
            return transfer(reads, one, 0, 1, 0);
        } finally {
            one[0] = NONE;
            lock.unlock();
        }
    }

    /// Keeps the buffer for the next call with the same array, as the JDK's streams of channels do.
    @SuppressWarnings("ReferenceEquality") // the same array, not one with the same bytes
    private long transfer(boolean reads, byte[] bytes, int offset, int length, int millis) throws IOException {
        ReentrantLock lock = reads ? reading : writing;
        ByteBuffer[] one = reads ? oneTarget : oneSource;
        int left = (int) TimedLock.lock(lock, millis);
        if (left < 0) {
            throw new SocketTimeoutException(TIMED_OUT);
        }
        try {
            if (one[0].array() != bytes) {
                one[0] = ByteBuffer.wrap(bytes);
            }
            one[0].limit(offset + length).position(offset);
            return transfer(reads, one, 0, 1, left);
        } finally {
            lock.unlock();
        }
    }

    /// Reads at least one byte or writes all bytes in blocking mode; otherwise as many as possible without waiting. The
    /// caller holds the lock.
    ///
    /// @param millis timeout of a read; 0 for no limit
    private long transfer(boolean reads, ByteBuffer[] buffers, int offset, int length, int millis)
            throws IOException {
        boolean blocking = owner.isBlocking();
        long done = 0;
        try {
            if (blocking) {
                owner.beginBlocking();
            }
            long last = step(reads, buffers, offset, length);
            done = last;
            while (blocking && owner.isOpen() && (reads ? done == 0 : hasRoom(buffers, offset, length))) {
                if (last == 0 && !await(reads, millis)) {
                    throw new SocketTimeoutException(TIMED_OUT);
                }
                last = step(reads, buffers, offset, length);
                done = last < 0 ? last : done + last;
            }
        } catch (InterruptedException e) {
            owner.interrupted();
        } catch (VerbsException e) {
            throw reads ? SocketFailures.reading(e) : SocketFailures.writing(e);
        } catch (IllegalStateException e) {
            if (!reads && outputShutdown) {
                throw new AsynchronousCloseException();
            }
            if (owner.isOpen()) {
                throw SocketFailures.reading(e); // the device is gone
            }
            if (!blocking) {
                throw new AsynchronousCloseException();
            }
        } finally {
            if (blocking) {
                owner.endBlocking(reads ? done != 0 : !hasRoom(buffers, offset, length));
            }
        }
        return done;
    }

    private long step(boolean reads, ByteBuffer[] buffers, int offset, int length) throws IOException {
        return reads ? readNow(buffers, offset, length) : writeNow(buffers, offset, length);
    }

    /// @return false after the timeout
    private boolean await(boolean reads, int millis) throws InterruptedException {
        return reads ? endpoint.awaitReadable(timeout(millis)) : endpoint.awaitWritable(LONG);
    }

    private Duration timeout(int millis) {
        if (millis == 0) {
            return LONG;
        }
        if (timeout.toMillis() != millis) {
            timeout = Duration.ofMillis(millis);
        }
        return timeout;
    }

    private long readNow(ByteBuffer[] targets, int offset, int length) {
        long done = 0;
        try {
            for (int i = offset; i < offset + length; i++) {
                if (targets[i].hasRemaining()) {
                    int bytes = endpoint.read(targets[i]);
                    if (bytes <= 0) {
                        return done > 0 ? done : bytes;
                    }
                    done += bytes;
                    if (targets[i].hasRemaining()) {
                        return done;
                    }
                }
            }
        } catch (VerbsException e) {
            if (done == 0) {
                throw e;
            }
        }
        return done;
    }

    private long writeNow(ByteBuffer[] sources, int offset, int length) throws IOException {
        if (outputShutdown) { // while this thread waited
            throw new AsynchronousCloseException();
        }
        return hasRoom(sources, offset, length) ? endpoint.write(sources, offset, length) : 0;
    }

    /// Returns whether any of the buffers has bytes remaining.
    private static boolean hasRoom(ByteBuffer[] buffers, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            if (buffers[i].hasRemaining()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public int available() {
        return endpoint.available();
    }

    @Override
    public void shutdownInput() throws ClosedChannelException {
        inputShutdown = true;
        shutDown(endpoint::shutdownInput);
    }

    @Override
    public void shutdownOutput() throws ClosedChannelException {
        if (!outputShutdown) {
            outputShutdown = true;
            shutDown(endpoint::shutdownOutput);
        }
    }

    private static void shutDown(Runnable direction) throws ClosedChannelException {
        try {
            direction.run();
        } catch (IllegalStateException e) { // another thread has closed the channel
            throw SocketFailures.with(new ClosedChannelException(), e);
        }
    }

    @Override
    public boolean isInputShutdown() {
        return inputShutdown;
    }

    @Override
    public boolean isOutputShutdown() {
        return outputShutdown;
    }

    @Override
    public Transport transport() {
        return Transport.RDMA;
    }

    @Override
    public InetSocketAddress localAddress() {
        return localAddress;
    }

    @Override
    public InetSocketAddress peerAddress() {
        return peerAddress;
    }

    @Override
    public <T> void setOption(SocketOption<T> option, T value) {
        // Stored in the channel's settings.
    }

    @Override
    public <T> @Nullable T getOption(SocketOption<T> option) {
        return null;
    }

    /// Waits for the threads that read and write, as the JDK's channels do. These threads have begun in the former
    /// mode.
    @Override
    public void configureBlocking(boolean block) throws ClosedChannelException {
        for (ReentrantLock lock : List.of(reading, writing)) {
            lock.lock();
            try {
                owner.requireOpen();
            } finally {
                lock.unlock();
            }
        }
    }

    @Override
    public int readyOps() {
        int ready = 0;
        if (endpoint.isReadable()) {
            ready |= SelectionKey.OP_READ;
        }
        if (endpoint.isWritable()) {
            ready |= SelectionKey.OP_WRITE;
        }
        return ready;
    }

    @Override
    public @Nullable SelectableChannel inner() {
        return null;
    }

    boolean isWatchable() {
        return endpoint.isWatchable();
    }

    /// Moves the events of an open connection to a watch.
    void watch(@Nullable CompletionWatch watch) {
        endpoint.watch(watch);
    }

    /// Resets the connection if bytes were not read, or if the linger time is 0, as TCP does.
    @Override
    public void close(int linger, boolean blocking) {
        if (linger == 0 || available() > 0) {
            endpoint.abort();
        } else if (linger < 0) {
            endpoint.close();
        } else {
            endpoint.close(Duration.ofSeconds(linger));
            if (blocking) {
                await(linger);
            }
        }
    }

    private void await(int seconds) {
        try {
            endpoint.closed().get(seconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException e) {
            // Closing continues in the background.
        } catch (ExecutionException e) {
            throw new AssertionError("nothing completes it exceptionally", e);
        }
    }

    @Override
    public String toString() {
        return localAddress + " to " + peerAddress + " over RDMA";
    }
}
