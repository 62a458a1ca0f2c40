// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.valkey;

import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.types.VerbsException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// A byte stream to and from a Valkey server over RDMA: **experimental**, like the server's RDMA transport.
///
/// Reads and writes block, or return futures. A program may mix both forms. Reads are served in the order of their
/// calls, and so are writes. A virtual thread handles completions, sends keep-alives and detects a silent server.
/// Futures complete in that thread, or in a thread that reads or writes. Dependent actions of the futures must not
/// wait.
///
/// The connection does not reconnect by itself. When a connection ends, the server discards the connection's user,
/// database and subscriptions.
///
/// Thread-safe; may be closed at any time. Blocking methods suit virtual threads. All methods throw [VerbsException]:
/// `ECONNRESET` if the connection broke, `ETIMEDOUT` if the server is silent, `EPROTO` if the server violates the
/// protocol.
///
/// @see <a href="https://valkey.io/topics/RDMA/">Valkey Over RDMA</a>
public final class ValkeyConnection implements AutoCloseable {
    /// The same value as the server's. The server issues no RDMA reads.
    private static final int READ_ATOMIC = 1;
    private static final int RETRIES = 7;

    private final RdmaConnection connection;
    private final ValkeyOptions options;
    private final Engine engine;
    private final Protocol protocol; // guarded by the engine's lock

    ValkeyConnection(RdmaConnection connection, Buffers buffers, ValkeyOptions options) {
        this.connection = connection;
        this.options = options;
        this.engine = new Engine(connection, buffers, options);
        this.protocol = engine.protocol();
    }

    /// Connects with the default options.
    ///
    /// @see #connect(InetSocketAddress, ValkeyOptions)
    public static ValkeyConnection connect(InetSocketAddress address) throws InterruptedException {
        return connect(address, ValkeyOptions.defaults());
    }

    /// Connects, and waits until the server has announced its buffer.
    ///
    /// @param address a resolved address of an RDMA device; never 127.0.0.1 or ::1, because no RDMA device has these
    /// @throws io.verbs4j.cm.ConnectionRejectedException if no program listens there, or the server rejects
    /// @throws VerbsException `ETIMEDOUT` if the peer announces no buffer, because it is not a Valkey server; others as
    ///     [RdmaConnection#connect(InetSocketAddress, ConnectionOptions)]
    public static ValkeyConnection connect(InetSocketAddress address, ValkeyOptions options)
            throws InterruptedException {
        long deadline = System.nanoTime() + Engine.nanos(options.connectTimeout());
        var buffers = new AtomicReference<@Nullable Buffers>();
        RdmaConnection connection = RdmaConnection.connect(
                address,
                ConnectionOptions.defaults()
                        .withTimeout(options.connectTimeout())
                        .withQueues(Protocol.MAX_WRITES + Protocol.MAX_CONTROLS, options.messages())
                        .withReadAtomic(READ_ATOMIC)
                        .withRetries(RETRIES, RETRIES)
                        .withPreparation(prepared -> buffers.set(Buffers.prepare(prepared, options))));
        Buffers prepared = buffers.get();
        if (prepared == null) {
            throw new AssertionError("a connection was established without its preparation");
        }
        var valkey = new ValkeyConnection(connection, prepared, options);
        try {
            valkey.awaitStart(deadline);
            return valkey;
        } catch (RuntimeException | InterruptedException | Error e) {
            try {
                valkey.close();
            } catch (RuntimeException | Error failed) {
                e.addSuppressed(failed);
            }
            throw e;
        }
    }

    /// Connects in a virtual thread. Cancelling the future does not end the attempt. If a cancelled attempt succeeds,
    /// the connection is closed.
    ///
    /// @see #connect(InetSocketAddress, ValkeyOptions)
    public static CompletableFuture<ValkeyConnection> connectAsync(InetSocketAddress address, ValkeyOptions options) {
        var future = new CompletableFuture<ValkeyConnection>();
        Thread.ofVirtual().name("verbs4j connects to Valkey at " + address).start(() -> {
            try {
                ValkeyConnection connected = connect(address, options);
                if (!future.complete(connected)) {
                    connected.close();
                }
            } catch (Throwable e) {
                future.completeExceptionally(e);
            }
        });
        return future;
    }

    private void awaitStart(long deadline) throws InterruptedException {
        try {
            engine.start().get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw (VerbsException) Failures.noAnnouncement().initCause(e);
        } catch (ExecutionException e) {
            throw unwrapped(e);
        }
    }

    private static RuntimeException unwrapped(Exception e) {
        if (e.getCause() instanceof RuntimeException cause) {
            return cause;
        }
        throw new AssertionError(e);
    }

    /// Reads bytes that have arrived. If no byte has arrived, waits for the first byte.
    ///
    /// @param target receives the arrived bytes, as far as they fit; at least 1 byte
    /// @return the number of bytes; -1 if the server has closed the connection
    /// @throws VerbsException `ETIMEDOUT` after the options' timeout; the next read continues without loss
    /// @throws IllegalStateException if the connection is closed, even during this call
    public int read(ByteBuffer target) throws InterruptedException {
        return read(target, options.timeout());
    }

    /// Reads as [#read(ByteBuffer)] does.
    ///
    /// @param timeout the longest wait for the first byte
    public int read(ByteBuffer target, Duration timeout) throws InterruptedException {
        if (!target.hasRemaining()) {
            return 0;
        }
        int bytes = readNow(target);
        if (bytes != 0) {
            return bytes;
        }
        var pending = new Pending<Integer>(target, this::withdraw);
        engine.locked(() -> protocol.add(pending));
        return await(pending, timeout, "read from the Valkey server", "the server has sent nothing");
    }

    private int readNow(ByteBuffer target) {
        return engine.locked(() -> protocol.hasReads() ? 0 : protocol.read(target));
    }

    /// Reads bytes as soon as they have arrived.
    ///
    /// @param target must not be used before the future completes; if it has no room, the result is 0
    /// @return the number of bytes; -1 if the server has closed the connection. A cancellation or timeout of the future
    ///     withdraws the read unless bytes have been read. The next read continues without loss
    public CompletableFuture<Integer> readAsync(ByteBuffer target) {
        var pending = new Pending<Integer>(target, this::withdraw);
        if (!target.hasRemaining()) {
            pending.served(0);
            return pending;
        }
        submit(() -> protocol.add(pending));
        return pending;
    }

    /// Writes all bytes of a buffer. Returns when the bytes are copied; they may still be in flight.
    ///
    /// @throws VerbsException `ETIMEDOUT` if the server makes no room within the options' timeout. If part of the bytes
    ///     is then written, the connection fails
    /// @throws IllegalStateException if the connection is closed, even during this call
    public void write(ByteBuffer source) throws InterruptedException {
        Pending<@Nullable Void> pending = engine.locked(() -> protocol.writeOrAdd(source, this::withdraw));
        if (pending != null) {
            await(pending, options.timeout(), "write to the Valkey server", "the server does not read");
        }
    }

    /// Writes all bytes of a buffer.
    ///
    /// @param source must not be used before the future completes
    /// @return a future that completes when the bytes are copied. Cancelling the future withdraws the write, unless
    ///     some of its bytes are already written. A timeout of the future always withdraws the write; if part of the
    ///     bytes is then written, the connection fails
    public CompletableFuture<@Nullable Void> writeAsync(ByteBuffer source) {
        var pending = new Pending<@Nullable Void>(source, this::withdraw);
        submit(() -> protocol.addWrite(pending));
        return pending;
    }

    private void submit(Runnable addition) {
        engine.locked(addition);
        engine.settle();
    }

    private boolean withdraw(Pending<?> pending, boolean always) {
        boolean withdrawn = engine.locked(() -> protocol.withdraw(pending, always));
        engine.settle(); // if this write is unfinished, the later ones fail
        return withdrawn;
    }

    private <T extends @Nullable Object> T await(
            Pending<T> pending, Duration timeout, String operation, String hint) throws InterruptedException {
        long start = System.nanoTime();
        engine.settle();
        long busy = Engine.nanos(options.busyPolling());
        while (!pending.isDone() && System.nanoTime() - start < busy) {
            if (engine.poll() == 0) {
                Thread.onSpinWait();
            }
        }
        try {
            return pending.get(Engine.nanos(timeout) - (System.nanoTime() - start), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | InterruptedException e) {
            if (!withdraw(pending, true)) { // served before it could be withdrawn
                if (e instanceof InterruptedException) {
                    Thread.currentThread().interrupt();
                }
                try {
                    return pending.join();
                } catch (CompletionException failed) {
                    throw unwrapped(failed);
                }
            }
            if (e instanceof InterruptedException interrupted) {
                throw interrupted;
            }
            throw Failures.timeout(operation, hint);
        } catch (ExecutionException e) {
            throw unwrapped(e);
        }
    }

    /// Returns the number of bytes that can be read without waiting, as far as this end has polled.
    public int available() {
        engine.poll();
        return engine.locked(protocol::available);
    }

    /// Returns the feature bits reported by the server. No feature is defined yet.
    public long serverFeatures() {
        return engine.locked(protocol::features);
    }

    /// Returns whether the connection can still be used, as far as this end knows.
    public boolean isConnected() {
        return !engine.isClosed() && connection.isConnected() && !engine.locked(protocol::hasFailed);
    }

    /// Returns whether the server has closed the connection.
    boolean hasEnded() {
        return engine.locked(protocol::hasEnded);
    }

    /// Returns whether the connection has failed. A timeout is no failure.
    boolean hasFailed() {
        return engine.locked(protocol::hasFailed);
    }

    /// Returns the local address and port.
    public InetSocketAddress localAddress() {
        return connection.localAddress();
    }

    /// Returns the server's address and port.
    public InetSocketAddress peerAddress() {
        return connection.peerAddress();
    }

    /// Ends the connection. Written bytes are sent first, which may take a second. Waiting reads and writes fail with
    /// [IllegalStateException]. Idempotent.
    ///
    /// @throws VerbsException if the kernel refuses; the close can be repeated
    @Override
    public void close() {
        engine.close();
        connection.close();
    }

    @Override
    public String toString() {
        return "Valkey over " + connection;
    }
}
