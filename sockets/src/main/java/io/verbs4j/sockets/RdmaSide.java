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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/// A connection over RDMA, with the exceptions and the blocking of a channel.
final class RdmaSide implements SocketSide {
    private static final Duration LONG = Duration.ofDays(365);

    private final MixedChannel owner;
    private final StreamEndpoint endpoint;
    private final InetSocketAddress localAddress;
    private final InetSocketAddress peerAddress;
    private final ReentrantLock reading = new ReentrantLock();
    private final ReentrantLock writing = new ReentrantLock();
    private volatile boolean inputShutdown;
    private volatile boolean outputShutdown;

    RdmaSide(MixedChannel owner, StreamEndpoint endpoint) {
        this.owner = owner;
        this.endpoint = endpoint;
        this.localAddress = endpoint.localAddress();
        this.peerAddress = endpoint.peerAddress();
    }

    /// A transfer of as many bytes as possible without waiting.
    private interface Transfer {
        long run() throws IOException;
    }

    /// Waits until a transfer can continue.
    private interface Wait {
        /// @return false after the timeout
        boolean run(Duration timeout) throws InterruptedException;
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        return read(targets, offset, length, LONG);
    }

    @Override
    public int read(byte[] target, int offset, int length, int millis) throws IOException {
        var buffers = new ByteBuffer[]{ByteBuffer.wrap(target, offset, length)};
        return (int) read(buffers, 0, 1, millis == 0 ? LONG : Duration.ofMillis(millis));
    }

    private long read(ByteBuffer[] targets, int offset, int length, Duration timeout) throws IOException {
        if (!hasRoom(targets, offset, length)) {
            return 0;
        }
        return transfer(
                reading, () -> readNow(targets, offset, length), endpoint::awaitReadable, timeout, done -> done == 0);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        if (outputShutdown) {
            throw new ClosedChannelException();
        }
        return transfer(
                writing,
                () -> writeNow(sources, offset, length),
                endpoint::awaitWritable,
                LONG,
                _ -> hasRoom(sources, offset, length));
    }

    /// @param unfinished whether a blocking transfer continues after this number of bytes
    private long transfer(
            ReentrantLock lock, Transfer step, Wait wait, Duration timeout, LongPredicate unfinished)
            throws IOException {
        lock.lock();
        try {
            boolean blocking = owner.isBlocking();
            long done = 0;
            try {
                if (blocking) {
                    owner.beginBlocking();
                }
                long last = step.run();
                done = last;
                while (blocking && owner.isOpen() && unfinished.test(done)) {
                    if (last == 0 && !wait.run(timeout)) {
                        throw new SocketTimeoutException("Read timed out");
                    }
                    last = step.run();
                    done = last < 0 ? last : done + last;
                }
            } catch (InterruptedException e) {
                owner.interrupted();
            } catch (IllegalStateException e) {
                if (owner.isOpen()) {
                    throw SocketFailures.reading(e); // the device is gone
                }
                if (!blocking) {
                    throw new AsynchronousCloseException();
                }
            } finally {
                if (blocking) {
                    owner.endBlocking(done != 0);
                }
            }
            return done;
        } finally {
            lock.unlock();
        }
    }

    private long readNow(ByteBuffer[] targets, int offset, int length) throws IOException {
        if (inputShutdown) {
            return -1;
        }
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
                throw SocketFailures.reading(e);
            }
        }
        return done;
    }

    private long writeNow(ByteBuffer[] sources, int offset, int length) throws IOException {
        if (outputShutdown) { // while this thread waited
            throw new AsynchronousCloseException();
        }
        try {
            return hasRoom(sources, offset, length) ? endpoint.write(sources, offset, length) : 0;
        } catch (VerbsException e) {
            throw SocketFailures.writing(e);
        }
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
        return inputShutdown ? 0 : endpoint.available();
    }

    @Override
    public void shutdownInput() {
        inputShutdown = true;
        endpoint.shutdownInput();
    }

    @Override
    public void shutdownOutput() {
        if (!outputShutdown) {
            outputShutdown = true;
            endpoint.shutdownOutput();
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

    @Override
    public void configureBlocking(boolean block) {
        // The channel's own mode decides.
    }

    @Override
    public int readyOps() {
        int ready = 0;
        if (inputShutdown || endpoint.isReadable()) {
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
            return; // closing continues in the background
        } catch (ExecutionException e) {
            throw new AssertionError("nothing completes it exceptionally", e);
        }
    }

    @Override
    public String toString() {
        return localAddress + " to " + peerAddress + " over RDMA";
    }
}
