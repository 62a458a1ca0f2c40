// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.rsocket;

import io.verbs4j.CompletionQueue;
import io.verbs4j.WorkCompletion;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// A stream of bytes in both directions over an RDMA connection. What one end writes is copied once into its send ring, and once out of
/// the peer's receive ring.
///
/// Thread-safe: any thread may read, write and close at any time. One of those that wait polls the completion queue for all. Reading and
/// writing allocate nothing.
///
/// @see <a href="https://man7.org/linux/man-pages/man7/rsocket.7.html">rsocket(7)</a>
public final class RdmaSocket implements AutoCloseable {
    private static final int BATCH = 64;
    private static final Duration LINGER = Duration.ofSeconds(2);
    /// The longest wait for completions before the deadline is looked at again.
    private static final Duration TURN = Duration.ofSeconds(1);

    private final RdmaConnection connection;
    private final StreamEnd end;
    private final CompletionQueue queue;
    private final OutgoingRing outgoing;
    private final IncomingRing incoming;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    // All below is guarded by the lock.
    private boolean polling;
    private int receivesTaken;
    private final StreamCondition condition = new StreamCondition();
    private boolean shutDown;
    private boolean closed;

    RdmaSocket(RdmaConnection connection, StreamEnd end, StreamOffer peer) {
        this.connection = connection;
        this.end = end;
        this.queue = connection.completionQueue();
        StreamMemory memory = end.memory();
        this.outgoing = new OutgoingRing(connection.queuePair(), memory, peer);
        this.incoming = new IncomingRing(memory.receiveRing(), StreamMemory.CREDITS);
        // The first half went along with the private data.
        outgoing.credit(StreamMemory.CREDITS, 1);
    }

    /// Connects with the default options.
    ///
    /// @see #connect(InetSocketAddress, RdmaSocketOptions)
    public static RdmaSocket connect(InetSocketAddress address) throws InterruptedException {
        return connect(address, RdmaSocketOptions.defaults());
    }

    /// Connects to a [RdmaServerSocket], or to a C program that listens with rsockets.
    ///
    /// @throws io.verbs4j.cm.ConnectionRejectedException if nobody listens there, or the peer rejects
    /// @throws VerbsException if anything else fails; `EPROTONOSUPPORT` if the peer speaks another protocol
    /// @throws InterruptedException if the thread is interrupted while it waits; nothing is left of the attempt
    public static RdmaSocket connect(InetSocketAddress address, RdmaSocketOptions options) throws InterruptedException {
        var end = new StreamEnd(options);
        try {
            return of(RdmaConnection.connect(address, end.connection()), end);
        } catch (RuntimeException | InterruptedException | Error e) {
            end.close();
            throw e;
        }
    }

    private static RdmaSocket of(RdmaConnection connection, StreamEnd end) {
        try {
            return new RdmaSocket(
                    connection,
                    end,
                    StreamOffer.decode(connection.privateData())
                            .orElseThrow(() -> new VerbsException(
                                    "connect stream",
                                    Errno.EPROTONOSUPPORT,
                                    connection.peerAddress() + " does not speak version 1 of the rsockets protocol")));
        } catch (RuntimeException | Error e) {
            try (connection) {
                end.close();
            }
            throw e;
        }
    }

    /// Waits for bytes and takes those that are there.
    ///
    /// @param target gets at least one byte and at most its size
    /// @return the number of bytes; -1 if the peer sends no more
    /// @see #read(MemorySegment, Duration)
    public long read(MemorySegment target) throws InterruptedException {
        return read(target, Long.MAX_VALUE);
    }

    /// Waits for bytes and takes those that are there.
    ///
    /// @return the number of bytes; 0 after the timeout, or if the target has no room; -1 if the peer sends no more
    /// @throws VerbsException `ECONNRESET` if the connection has broken, `EPROTO` if the peer broke the protocol
    /// @throws InterruptedException if the thread is interrupted while it waits
    /// @throws IllegalStateException if the stream is closed, also while the thread waits
    public long read(MemorySegment target, Duration timeout) throws InterruptedException {
        return read(target, deadline(timeout));
    }

    private long read(MemorySegment target, long deadline) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (true) {
                requireOpen();
                if (target.byteSize() == 0) {
                    return 0;
                }
                int size = incoming.read(target, 0, target.byteSize());
                if (size > 0) {
                    announce();
                    return size;
                }
                if (condition.hasEnded()) {
                    return -1;
                }
                condition.requireSound("read from stream");
                if (!progress(deadline)) {
                    return 0;
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /// Returns how many bytes can be read without waiting, as far as completions have been looked at.
    public int available() {
        lock.lock();
        try {
            return closed ? 0 : incoming.available();
        } finally {
            lock.unlock();
        }
    }

    /// Writes all bytes: waits until the last has found room in the send ring.
    ///
    /// @see #write(MemorySegment, Duration)
    public void write(MemorySegment source) throws InterruptedException {
        write(source, Long.MAX_VALUE);
    }

    /// Writes bytes, as long as they find room in the send ring within the time. Bytes that were taken arrive, unless the connection breaks.
    ///
    /// @return the number of bytes that were taken; less than all after the timeout
    /// @throws VerbsException `EPIPE` if the peer has closed or [#shutdownOutput()] was called, `ECONNRESET` if the connection has
    ///     broken
    /// @throws InterruptedException if the thread is interrupted while it waits; some bytes may have been taken
    /// @throws IllegalStateException if the stream is closed, also while the thread waits
    public long write(MemorySegment source, Duration timeout) throws InterruptedException {
        return write(source, deadline(timeout));
    }

    private long write(MemorySegment source, long deadline) throws InterruptedException {
        long done = 0;
        lock.lockInterruptibly();
        try {
            while (true) {
                requireOpen();
                requireWritable();
                done += outgoing.write(source, done, source.byteSize() - done);
                if (done == source.byteSize() || !progress(deadline)) {
                    return done;
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /// Sends no more: the peer reads what was written, and then the end. Reading goes on.
    ///
    /// @throws IllegalStateException if the stream is closed
    public void shutdownOutput() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            requireOpen();
            if (!shutDown) {
                shutDown = true;
                sendControl(StreamMessage.SHUTDOWN, deadline(LINGER));
            }
        } finally {
            lock.unlock();
        }
    }

    private void sendControl(int value, long deadline) throws InterruptedException {
        while (!outgoing.mayControl() && condition.isSound() && progress(deadline)) {
            // until one of those under way has arrived
        }
        if (outgoing.mayControl() && condition.isSound()) {
            outgoing.control(value);
        }
    }

    /// Returns a stream of the bytes that come. Its methods throw `IOException` where those of this class throw `VerbsException`.
    public InputStream inputStream() {
        return new SocketInput(this);
    }

    /// Returns a stream of the bytes that go.
    public OutputStream outputStream() {
        return new SocketOutput(this);
    }

    /// Returns our address and port.
    public InetSocketAddress localAddress() {
        return connection.localAddress();
    }

    /// Returns the peer's address and port.
    public InetSocketAddress peerAddress() {
        return connection.peerAddress();
    }

    /// Lets completions be taken, by this thread or by one that does so already. Called with the lock, which is free in the middle.
    ///
    /// @return false after the deadline
    @SuppressWarnings("WaitNotInLoop") // the caller looks again whether it has what it waits for
    private boolean progress(long deadline) throws InterruptedException {
        long left =
                deadline == Long.MAX_VALUE ? TURN.toNanos() : Math.min(deadline - System.nanoTime(), TURN.toNanos());
        if (left <= 0) {
            return false;
        }
        if (polling) {
            changed.await(left, TimeUnit.NANOSECONDS);
            return true;
        }
        polling = true;
        lock.unlock();
        try {
            if (queue.poll(BATCH, this::completed) == 0) {
                queue.await(BATCH, this::completed, left == TURN.toNanos() ? TURN : Duration.ofNanos(left));
            }
        } finally {
            lock.lock();
            polling = false;
            changed.signalAll();
        }
        if (condition.isSound()) {
            StreamEnd.receive(connection.queuePair(), receivesTaken);
            receivesTaken = 0;
            announce();
        }
        return true;
    }

    private void completed(WorkCompletion completion) {
        lock.lock();
        try {
            if (!completion.isSuccess()) {
                condition.fail(Errno.ECONNRESET, "the peer has gone (" + completion.status() + ")");
            } else if (completion.isReceive()) {
                receivesTaken++;
                received(completion.immediateData(), completion.byteLength());
            } else {
                outgoing.completed(completion.workRequestId());
            }
        } finally {
            lock.unlock();
        }
    }

    private void received(int message, int bytes) {
        int value = StreamMessage.value(message);
        switch (StreamMessage.kind(message)) {
            case StreamMessage.DATA -> {
                if (!incoming.received(value)) {
                    condition.fail(Errno.EPROTO,
                            "the peer sent " + value + " bytes for which it had no room or no credit");
                }
            }
            case StreamMessage.CREDIT -> outgoing.credited(value, bytes == StreamMemory.ENTRY_BYTES);
            case StreamMessage.CONTROL -> condition.control(value);
            default ->
                condition.fail(Errno.EPROTO, "the peer sent an unknown message: 0x" + Integer.toHexString(message));
        }
    }

    /// Gives the peer new room and credits if it should hear of them now.
    private void announce() {
        while (incoming.isCreditDue() && outgoing.mayControl() && condition.isSound()) {
            int half = incoming.freeHalf();
            outgoing.credit(incoming.announce(half >= 0), half);
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    private void requireWritable() {
        if (shutDown) {
            throw new VerbsException("write to stream", Errno.EPIPE, "this end has ended its output");
        }
        condition.requireWritable("write to stream");
    }

    private static long deadline(Duration timeout) {
        return System.nanoTime() + Math.max(0, TimeUnit.NANOSECONDS.convert(timeout));
    }

    /// Ends the stream: what was written still arrives, as far as the peer takes it within two seconds. Any number of times.
    @Override
    public void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
        } finally {
            lock.unlock();
        }
        boolean interrupted = false;
        try {
            finish();
        } catch (InterruptedException e) {
            interrupted = true;
        } finally {
            // The queue pair is in ERR: nobody writes any more to the memory that goes now.
            try (connection) {
                end.close();
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Says farewell, waits until all that was sent has arrived, ends the connection, and lets threads that wait leave the queue.
    private void finish() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long deadline = deadline(LINGER);
            sendControl(StreamMessage.DISCONNECT, deadline);
            while (!outgoing.isIdle() && condition.isSound() && progress(deadline)) {
                // until the last message has arrived
            }
        } finally {
            lock.unlock();
        }
        connection.disconnect();
        lock.lockInterruptibly();
        try {
            condition.fail(Errno.ECONNRESET, "the stream is closed");
            changed.signalAll();
            long deadline = deadline(LINGER);
            while (polling && deadline - System.nanoTime() > 0) {
                changed.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        return "stream over " + connection;
    }
}
