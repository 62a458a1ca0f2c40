// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import io.verbs4j.ProtectionDomain;
import io.verbs4j.RemoteMemory;
import io.verbs4j.abi.failure.Closing;
import io.verbs4j.abi.failure.Rollback;
import io.verbs4j.cm.CompletionWatch;
import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.IncomingConnection;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.types.Access;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.VerbsException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One non-blocking end of a stream, for selectors, event loops and asynchronous channels. [RdmaStream] is the blocking
/// form.
///
/// Reading, writing and closing never wait for the peer or the network. Readiness is level-triggered: [#isReadable()]
/// and [#isWritable()] report the current state. If a [#poll()] or a wait finds that the stream is ready for more
/// operations than before, the action of [#onReady] runs. Thread-safe; may be closed at any time.
public final class StreamEndpoint implements AutoCloseable {
    private static final QueuePairAttributes ABORTED =
            QueuePairAttributes.builder().state(QueuePairState.ERR).build();
    private static final long RESET_NANOS = 100_000_000;

    private final RdmaConnection connection;
    private final StreamMemory memory;
    private final StreamProtocol protocol;
    private final StreamReader reader;
    private final StreamWriter writer;
    private final StreamPump pump;
    private final Duration drain;
    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    private StreamEndpoint(RdmaConnection connection, StreamMemory memory, Greeting peer, StreamOptions options) {
        this.connection = connection;
        this.memory = memory;
        this.drain = options.drain();
        boolean iwarp = StreamSetup.isIwarp(connection);
        this.protocol = new StreamProtocol(outbox(connection, memory, peer, options, iwarp), memory, peer, options);
        this.reader = new StreamReader(protocol, memory);
        ProtectionDomain domain = connection.protectionDomain();
        this.writer = new StreamWriter(
                protocol,
                memory,
                new OwnMappings(
                        bytes -> domain.allocate(bytes, Access.LOCAL_WRITE, Access.REMOTE_WRITE), peer.mappings()));
        var completions = new Completions(connection.completionQueue(), iwarp ? memory : null);
        this.pump = new StreamPump(protocol, completions, options.group() != null);
        protocol.start();
        if (options.group() != null) {
            connection.onCompletionEvent(this::onEvent, this::onDisconnected);
            pump.onEvent(); // handles arrived completions, and arms the queue
            connection.onDisconnected(() -> onDisconnected(null));
        }
    }

    private static StreamOutbox outbox(
            RdmaConnection connection, StreamMemory memory, Greeting peer, StreamOptions options, boolean iwarp) {
        return iwarp
                ? new IwarpOutbox(connection.queuePair(), memory, StreamSetup.workRequests(options))
                : new QueuePairOutbox(
                        connection.queuePair(),
                        memory.sendKey(),
                        new RemoteMemory(peer.tableAddress(), StreamMemory.ENTRY, peer.tableKey()));
    }

    /// Handles an event. If the queue cannot be armed again, no event will report its next completion. The stream then
    /// fails, because its threads could wait indefinitely.
    private void onEvent() {
        try {
            pump.onEvent();
        } catch (VerbsException e) {
            onDisconnected(e);
        } catch (IllegalStateException e) {
            // The stream is being closed.
        }
    }

    /// Handles the end of the connection.
    ///
    /// @param cause null if the connection has ended without an error
    private void onDisconnected(@Nullable VerbsException cause) {
        ifAlive(() -> pump.onDisconnected(cause));
    }

    private static void ifAlive(Runnable step) {
        try {
            step.run();
        } catch (VerbsException | IllegalStateException e) {
            // The stream is being closed, or its device is gone. No more completions will arrive.
        }
    }

    /// Connects. Waits for the peer; suits virtual threads.
    ///
    /// @see RdmaStream#connect(InetSocketAddress, StreamOptions)
    public static StreamEndpoint connect(InetSocketAddress address, StreamOptions options)
            throws InterruptedException {
        return open(options, settings -> RdmaConnection.connect(address, settings), null);
    }

    /// Accepts a request.
    static StreamEndpoint accept(IncomingConnection request, Greeting peer, StreamOptions options)
            throws InterruptedException {
        return open(options, request::accept, peer);
    }

    /// Connects or accepts.
    private interface Opening {
        RdmaConnection open(ConnectionOptions options) throws InterruptedException;
    }

    /// @param peer the peer's greeting; null if it arrives later with the peer's answer
    private static StreamEndpoint open(StreamOptions options, Opening opening, @Nullable Greeting peer)
            throws InterruptedException {
        var setup = new StreamSetup(options);
        try (var rollback = new Rollback()) {
            rollback.add(setup::close);
            RdmaConnection connection = opening.open(setup.connectionOptions());
            rollback.add(connection::close);
            rollback.add(setup::close);
            rollback.add(connection.queuePair()::close); // otherwise the device could still use the memory
            var endpoint = new StreamEndpoint(
                    connection,
                    setup.memory(),
                    peer == null ? Greeting.decode(connection.privateData()) : peer,
                    options);
            rollback.keep();
            return endpoint;
        }
    }

    RdmaConnection connection() {
        return connection;
    }

    StreamReader reader() {
        return reader;
    }

    StreamWriter writer() {
        return writer;
    }

    StreamPump pump() {
        return pump;
    }

    /// Reads bytes that have arrived, up to the buffer's limit. Bytes that arrived before the peer died can be read.
    ///
    /// @return the number of bytes read; 0 if none has arrived or the buffer is full, -1 at the end of the stream
    /// @throws VerbsException `ECONNRESET` if the peer has died, `EPROTO` if the peer violates the protocol
    /// @throws IllegalStateException if the stream is closed
    public int read(ByteBuffer target) {
        if (!target.hasRemaining()) {
            return 0;
        }
        int bytes = reader.read(target);
        if (bytes == 0) {
            pump.poll();
            bytes = reader.read(target);
        }
        return bytes;
    }

    /// Writes as many bytes of the buffers as there is room for, and advances the buffers' positions. Small buffers are
    /// sent together in one message. A buffer that is in the range twice is sent once.
    ///
    /// @param first index of the first buffer
    /// @param count number of buffers
    /// @return the number of bytes written
    /// @throws VerbsException `ECONNRESET` if the peer has closed the stream or died, `EPROTO` if the peer violates the
    ///     protocol
    /// @throws IllegalStateException if the stream or its output is closed
    public long write(ByteBuffer[] sources, int first, int count) {
        long bytes = writer.write(sources, first, count);
        if (bytes == 0) {
            pump.poll();
            bytes = writer.write(sources, first, count);
        }
        return bytes;
    }

    /// Returns the number of bytes that can be read. If no byte is known to have arrived, polls the device.
    public int available() {
        if (reader.available() == 0) {
            ifAlive(pump::poll);
        }
        return reader.available();
    }

    /// Polls the device for arrived bytes, and sends credits that are due. Credits are also sent when the program
    /// reads.
    public void poll() {
        pump.poll();
    }

    /// Returns whether a read would return bytes, the end of the stream or an error.
    public boolean isReadable() {
        return (pump.readiness() & Readiness.READ) != 0;
    }

    /// Returns whether a write would accept bytes or fail. The stream becomes writable when there is room for a message
    /// of 2048 bytes.
    public boolean isWritable() {
        return (pump.readiness() & Readiness.WRITE) != 0;
    }

    /// Waits until [#isReadable()] is true.
    ///
    /// @return false after the timeout
    public boolean awaitReadable(Duration timeout) throws InterruptedException {
        return pump.await(Readiness.READ, TimeUnit.NANOSECONDS.convert(timeout));
    }

    /// Waits until [#isWritable()] is true.
    ///
    /// @return false after the timeout
    public boolean awaitWritable(Duration timeout) throws InterruptedException {
        return pump.await(Readiness.WRITE, TimeUnit.NANOSECONDS.convert(timeout));
    }

    /// Sets an action that runs when the stream has become readable or writable. The action runs without locks, in the
    /// thread that has detected the readiness, and must not wait. Calls of this end, such as [#shutdownOutput()], do
    /// not run the action.
    public void onReady(Runnable listener) {
        pump.listener(listener);
    }

    /// Returns whether the stream's events can be moved to a watch. False on a simulated device. Requires a group.
    public boolean isWatchable() {
        return connection.isWatchable();
    }

    /// Moves the stream's events to a watch. The thread that calls [CompletionWatch#handle()] then polls the stream.
    /// Requires [#isWatchable()]. One thread at a time may call this. Move the events back before the watch is closed,
    /// before the stream is closed, and before a thread waits for the stream.
    ///
    /// @param watch null for the thread of verbs4j
    public void watch(@Nullable CompletionWatch watch) {
        connection.watch(watch);
    }

    /// Ends input for this end: reads return -1, even if bytes have arrived that were not read. The peer is not
    /// notified, and may write until this end's ring is full. Idempotent.
    public void shutdownInput() {
        synchronized (protocol) {
            protocol.requireOpen();
            protocol.shutInput();
            pump.wake();
        }
    }

    /// Ends output: the peer reads the end of the stream. This end can still read. Idempotent.
    public void shutdownOutput() {
        synchronized (protocol) {
            protocol.requireOpen();
            protocol.endOutput();
            pump.wake();
        }
    }

    /// Returns the local address and port.
    public InetSocketAddress localAddress() {
        return connection.localAddress();
    }

    /// Returns the peer's address and port.
    public InetSocketAddress peerAddress() {
        return connection.peerAddress();
    }

    /// Closes this end. A virtual thread sends the written bytes, for at most the options' drain time, and then ends
    /// the connection. The method returns without waiting for the thread, except while the JVM shuts down. A shutdown
    /// hook waits for earlier threads. Idempotent.
    @Override
    public void close() {
        close(drain);
    }

    /// Closes this end as [#close()] does, with another limit for written bytes.
    ///
    /// @param linger the longest time for written bytes to arrive
    public void close(Duration linger) {
        end(protocol::close, () -> ClosingStreams.start(() -> finish(TimeUnit.NANOSECONDS.convert(linger))));
    }

    /// Resets the connection: the peer reads the bytes that have arrived, and then its reads and writes fail with
    /// `ECONNRESET`. Written bytes are lost if they do not arrive within 100 ms. Returns when [#close()] would.
    /// Idempotent.
    public void abort() {
        end(protocol::reset, () -> ClosingStreams.start(() -> {
            try {
                pump.await(Readiness.DONE, RESET_NANOS); // the queue pair drops the bytes that it has not sent yet
                connection.queuePair().modify(ABORTED);
            } catch (VerbsException | IllegalStateException e) {
                // The device is gone, and the connection with it.
            } catch (InterruptedException e) {
                throw new AssertionError("nothing interrupts this thread", e);
            } finally {
                finish(0);
            }
        }));
    }

    /// Returns a future that completes when this end is closed and all its resources are released.
    public CompletableFuture<Void> closed() {
        return closed.copy();
    }

    /// Closes this end like [#close()], but waits.
    void closeAndWait() {
        end(protocol::close, () -> finish(TimeUnit.NANOSECONDS.convert(drain)));
    }

    /// Closes the protocol, and then ends the connection. Does nothing if this end was closed before.
    private void end(Runnable closing, Runnable ending) {
        boolean ends = false;
        try {
            synchronized (protocol) {
                ends = protocol.state().isOpen();
                pump.wake(); // the threads then wait for the monitor
                if (ends) {
                    closing.run();
                }
            }
        } finally {
            if (ends) {
                ending.run();
            }
        }
    }

    /// Waits until the written bytes have arrived, and ends the connection. An interrupt that is already pending does
    /// not shorten the wait. An interrupt during this call ends the wait.
    private void finish(long drainNanos) {
        boolean interrupted = Thread.interrupted();
        try {
            awaitArrival(drainNanos);
            connection.disconnect();
        } catch (InterruptedException e) {
            interrupted = true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            release();
        }
    }

    private void awaitArrival(long drainNanos) throws InterruptedException {
        try {
            pump.await(Readiness.DONE, drainNanos);
        } catch (VerbsException | IllegalStateException e) {
            // The device is gone: no more bytes can arrive.
        }
    }

    private void release() {
        try {
            Closing.all(
                    () -> reader.finish(connection.queuePair()::close), writer::finish, memory::close,
                    connection::close);
        } finally {
            closed.complete(null);
        }
    }

    @Override
    public String toString() {
        return "stream over " + connection;
    }
}
