// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import io.verbs4j.cm.stream.StreamEndpoint;
import io.verbs4j.cm.stream.StreamOptions;
import io.verbs4j.sockets.SocketRules.Transport;
import io.verbs4j.types.VerbsException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Makes a connection in a thread of its own: over RDMA or, if that fails and TCP is allowed, over TCP.
final class Attempt {
    private final SocketContext context;
    private final Transport transport;
    private final InetSocketAddress address;
    private final StreamOptions options;
    private final boolean anyPort;
    private final Callable<SocketChannel> tcp;
    private final Runnable ended;
    private final CompletableFuture<Connected> result = new CompletableFuture<>();
    private final Thread thread;
    private volatile boolean triesRdma = true;

    /// A connection over RDMA or TCP.
    ///
    /// @param stream null over TCP
    /// @param tcp null over RDMA
    record Connected(@Nullable StreamEndpoint stream, @Nullable SocketChannel tcp) {
        void close() throws IOException {
            if (stream != null) {
                stream.close();
            }
            if (tcp != null) {
                tcp.close();
            }
        }
    }

    /// Prepares an attempt, which [#start()] starts.
    ///
    /// @param anyPort whether the kernel, not the program, has chosen the local port
    /// @param tcp creates a channel for TCP, in blocking mode
    /// @param ended runs when the attempt has succeeded or failed
    Attempt(
            SocketContext context,
            Transport transport,
            InetSocketAddress address,
            StreamOptions options,
            boolean anyPort,
            Callable<SocketChannel> tcp,
            Runnable ended) {
        this.context = context;
        this.transport = transport;
        this.address = address;
        this.options = options;
        this.anyPort = anyPort;
        this.tcp = tcp;
        this.ended = ended;
        // Once a virtual thread has connected a JDK channel, the channel stays non-blocking. Its writes may be partial.
        Thread.Builder kind = transport == Transport.RDMA ? Thread.ofVirtual() : Thread.ofPlatform().daemon();
        thread = kind.name("verbs4j connecting to " + address).unstarted(() -> {
            try {
                Connected connected = connect();
                if (!result.complete(connected)) {
                    connected.close();
                }
            } catch (Throwable e) { // also an Error: a thread waits for the result
                result.completeExceptionally(e);
            } finally {
                ended.run();
            }
        });
    }

    /// Starts to connect. The attempt may end during this call. It fails if the limit of threads is reached.
    void start() {
        try {
            thread.start();
        } catch (OutOfMemoryError e) { // also thrown at the limit of threads
            result.completeExceptionally(e);
            ended.run();
        }
    }

    private Connected connect() throws Exception {
        try {
            StreamEndpoint stream = connectRdma();
            SocketCounters.RDMA_CONNECTS.increment();
            return new Connected(stream, null);
        } catch (RuntimeException e) { // also if this system does not support RDMA
            if (transport == Transport.RDMA) {
                throw e;
            }
            context.failed(address);
            SocketCounters.fellBack(address, e);
        } finally {
            triesRdma = false;
        }
        SocketChannel channel = tcp.call();
        try {
            channel.connect(address);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
        return new Connected(null, channel);
    }

    /// Connects over RDMA. A port that the kernel has chosen is free over TCP, but may be in use over RDMA. If so, the
    /// connection manager chooses another port.
    private StreamEndpoint connectRdma() throws InterruptedException {
        InetSocketAddress source = options.source();
        try {
            return StreamEndpoint.connect(address, options);
        } catch (VerbsException e) {
            if (source == null || !anyPort || !SocketFailures.isPortTaken(e)) {
                throw e;
            }
            return StreamEndpoint.connect(address, options.withSource(new InetSocketAddress(source.getAddress(), 0)));
        }
    }

    boolean isDone() {
        return result.isDone();
    }

    /// Waits for the result.
    ///
    /// @param millis the timeout; negative for none
    /// @return null after the timeout
    @Nullable
    Connected await(long millis) throws IOException, InterruptedException {
        try {
            return millis < 0 ? result.get() : result.get(millis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return null;
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            if (cause instanceof VerbsException failure) {
                throw SocketFailures.connecting(failure);
            }
            if (cause instanceof IOException failure) {
                throw failure;
            }
            if (cause instanceof InterruptedException) {
                throw SocketFailures.with(
                        new InterruptedIOException("connecting was interrupted, or the channel was closed"), cause);
            }
            throw new IOException(cause);
        }
    }

    /// Ends the attempt. A connection that succeeds nevertheless is closed. If the attempt is still trying RDMA, and
    /// would then try TCP, the address counts as unreachable over RDMA.
    void cancel() {
        if (result.completeExceptionally(new InterruptedException())) {
            if (triesRdma && transport == Transport.RDMA_OR_TCP) {
                context.failed(address);
                SocketCounters.gaveUp(address);
            }
        } else {
            try {
                result.join().close();
            } catch (IOException | RuntimeException e) {
                return; // it had failed
            }
        }
        thread.interrupt();
    }
}
