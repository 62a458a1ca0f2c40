// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.valkey;

import io.verbs4j.RemoteMemory;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The client's side of Valkey over RDMA as a state machine. It never waits, and uses neither a clock nor a device. The
/// caller holds the lock.
///
/// Each end announces a buffer, and the peer writes to this buffer from beginning to end. When the buffer is full and
/// the program has read all of it, the owner announces the buffer again.
final class Protocol {
    /// The identifier of a control message's completion. The identifiers of writes are smaller, and not negative.
    static final long CONTROL = 1L << 40;
    /// Maximum number of outstanding writes.
    static final int MAX_WRITES = 128;
    /// Maximum number of outstanding control messages.
    static final int MAX_CONTROLS = 8;
    /// The longest write. The device sends one write while the program copies the next.
    static final int MAX_WRITE_BYTES = 1 << 18;

    /// Number of checks in each interval of keep-alives. With one check, the silence after a message could last for two
    /// intervals.
    static final int KEEP_ALIVE_CHECKS = 2;

    private final Outbox outbox;
    private final MemorySegment sendBuffer;
    private final MemorySegment receiveBuffer;
    private final ArrayDeque<Pending<Integer>> reads = new ArrayDeque<>();
    private final ArrayDeque<Pending<@Nullable Void>> writes = new ArrayDeque<>();

    /// The total numbers of bytes since the start: copied to the send ring, and no longer needed by the device.
    private long copied;
    private long released;
    private int writesOutstanding;
    private int controlsOutstanding;
    private boolean announcementOwed;
    private boolean sentSinceLastCheck;
    private boolean receivedSinceLastCheck;

    private @Nullable RemoteMemory peer;
    private long peerPosition;
    private long features;
    private long arrived;
    private long read;
    private boolean ended;
    private boolean closed;
    private @Nullable Supplier<RuntimeException> failure;

    Protocol(Outbox outbox, MemorySegment sendBuffer, MemorySegment receiveBuffer) {
        this.outbox = outbox;
        this.sendBuffer = sendBuffer;
        this.receiveBuffer = receiveBuffer;
    }

    /// Starts the exchange with the server.
    void start() {
        control(ControlMessage.GET_SERVER_FEATURE);
        control(ControlMessage.SET_CLIENT_FEATURE);
        control(ControlMessage.REGISTER_MEMORY);
    }

    /// Handles a received control message.
    ///
    /// @param message the receive's buffer, [ControlMessage#BYTES] long
    /// @param length number of bytes received
    void controlArrived(MemorySegment message, int length) {
        receivedSinceLastCheck = true;
        if (length != ControlMessage.BYTES) {
            fail(() -> Failures.protocol("a control message has " + length + " bytes, not " + ControlMessage.BYTES));
            return;
        }
        int opcode = ControlMessage.opcode(message);
        switch (opcode) {
            case ControlMessage.GET_SERVER_FEATURE -> features = ControlMessage.features(message);
            case ControlMessage.SET_CLIENT_FEATURE, ControlMessage.KEEP_ALIVE -> {
                // These messages have no effect.
            }
            case ControlMessage.REGISTER_MEMORY -> announced(ControlMessage.memory(message));
            default -> fail(() -> Failures.protocol("unknown control message " + opcode));
        }
    }

    private void announced(RemoteMemory memory) {
        if (memory.length() == 0
                || Long.compareUnsigned(memory.address() + (memory.length() - 1), memory.address()) < 0) {
            fail(() -> Failures
                    .protocol("it announced a buffer that is empty or exceeds the address space: " + memory));
            return;
        }
        peer = memory;
        peerPosition = 0;
    }

    /// Handles a write of the server to the receive buffer.
    ///
    /// @param announced number of bytes according to the server's immediate data, unsigned
    /// @param written number of bytes according to the device
    void dataArrived(int announced, int written) {
        receivedSinceLastCheck = true;
        long bytes = Integer.toUnsignedLong(announced);
        if (bytes != Integer.toUnsignedLong(written)) {
            fail(() -> Failures
                    .protocol("it announced " + bytes + " bytes but wrote " + Integer.toUnsignedLong(written)));
        } else if (bytes > receiveBuffer.byteSize() - arrived) {
            long left = receiveBuffer.byteSize() - arrived;
            fail(() -> Failures.protocol("it wrote " + bytes + " bytes to a buffer that has " + left + " left"));
        } else {
            arrived += bytes;
        }
    }

    /// Handles the completion of a work request of this end.
    ///
    /// @param id an identifier described in [Outbox]
    void sent(long id) {
        if (id == CONTROL) {
            controlsOutstanding--;
        } else {
            writesOutstanding--;
            released += id;
        }
    }

    /// Copies received bytes to the program's buffer.
    ///
    /// @return the number of bytes; 0 for none, -1 at the end of the stream
    int read(ByteBuffer target) {
        if (closed) { // the buffer may be gone
            throwFailure();
        }
        long left = arrived - read;
        if (left == 0) {
            throwFailure();
            return ended ? -1 : 0;
        }
        int bytes = (int) Math.min(left, target.remaining());
        target.put(receiveBuffer.asSlice(read, bytes).asByteBuffer());
        read += bytes;
        if (read == receiveBuffer.byteSize()) {
            read = 0;
            arrived = 0;
            control(ControlMessage.REGISTER_MEMORY);
        }
        return bytes;
    }

    int available() {
        return (int) (arrived - read);
    }

    /// Writes as many bytes as there is room for.
    ///
    /// @return the number of bytes written
    int write(ByteBuffer source) {
        throwFailure();
        if (ended) {
            throw Failures.ended();
        }
        int written = 0;
        int length = Math.min(room(), source.remaining());
        while (length > 0) {
            RemoteMemory to = Objects.requireNonNull(peer);
            long offset = copied % sendBuffer.byteSize();
            sendBuffer.asSlice(offset, length).asByteBuffer().put(source.slice(source.position(), length));
            outbox.write(offset, length, to.address() + peerPosition, to.remoteKey());
            source.position(source.position() + length);
            sentSinceLastCheck = true;
            writesOutstanding++;
            copied += length;
            peerPosition += length;
            written += length;
            length = Math.min(room(), source.remaining());
        }
        return written;
    }

    /// Returns the maximum number of bytes of the next write.
    private int room() {
        RemoteMemory to = peer;
        if (to == null || writesOutstanding == MAX_WRITES) {
            return 0;
        }
        long size = sendBuffer.byteSize();
        long free = Math.min(size - copied % size, size - (copied - released));
        return (int) Math.min(Math.min(free, to.length() - peerPosition), MAX_WRITE_BYTES);
    }

    private void control(int opcode) {
        if (failure != null || ended) {
            return;
        }
        if (controlsOutstanding == MAX_CONTROLS) { // acknowledgements are late
            announcementOwed |= opcode == ControlMessage.REGISTER_MEMORY;
            return;
        }
        outbox.control(opcode);
        controlsOutstanding++;
        sentSinceLastCheck = true;
    }

    /// Sends a keep-alive unless a message was sent since the last call. The caller calls this method
    /// [#KEEP_ALIVE_CHECKS] times in each interval, so that no silence is longer than the interval.
    void keepAlive() {
        boolean silent = !sentSinceLastCheck;
        sentSinceLastCheck = false;
        if (silent) {
            control(ControlMessage.KEEP_ALIVE);
        }
    }

    /// Returns whether the server has sent anything since the last call.
    boolean heard() {
        boolean heard = receivedSinceLastCheck;
        receivedSinceLastCheck = false;
        return heard;
    }

    /// Adds a read, which waits for earlier reads.
    void add(Pending<Integer> pending) {
        reads.add(pending);
    }

    /// Adds a write, which waits for earlier writes.
    void addWrite(Pending<@Nullable Void> pending) {
        writes.add(pending);
    }

    /// Writes as many bytes as there is room for, and adds a write of the rest. The caller holds the lock for both
    /// steps, so no other write comes between.
    ///
    /// @return the added write; null if all bytes are written
    @Nullable
    Pending<@Nullable Void> writeOrAdd(ByteBuffer source, BiPredicate<Pending<?>, Boolean> withdrawal) {
        boolean started = writes.isEmpty() && write(source) > 0;
        if (!source.hasRemaining()) {
            return null;
        }
        var pending = new Pending<@Nullable Void>(source, withdrawal);
        pending.started = started;
        writes.add(pending);
        return pending;
    }

    boolean hasReads() {
        return !reads.isEmpty();
    }

    boolean hasWrites() {
        return !writes.isEmpty();
    }

    /// Serves the pending reads and writes that can complete now.
    ///
    /// @return actions that complete their futures, to be run without the lock
    List<Runnable> advance() {
        if (announcementOwed && controlsOutstanding < MAX_CONTROLS) {
            announcementOwed = false;
            control(ControlMessage.REGISTER_MEMORY);
        }
        if (reads.isEmpty() && writes.isEmpty()) {
            return List.of();
        }
        var done = new ArrayList<Runnable>();
        while (!reads.isEmpty() && serveRead(reads.getFirst(), done)) {
            reads.removeFirst();
        }
        while (!writes.isEmpty() && serveWrite(writes.getFirst(), done)) {
            writes.removeFirst();
        }
        return done;
    }

    /// Removes a pending read or write. If part of a write was sent, the connection fails, because the server would
    /// mistake the next write for the rest.
    ///
    /// @param always whether to remove it even if bytes of it were transferred
    /// @return false if it was served or removed before
    boolean withdraw(Pending<?> pending, boolean always) {
        if ((pending.started && !always) || (!reads.remove(pending) && !writes.remove(pending))) {
            return false;
        }
        if (pending.started) {
            fail(Failures::unfinished);
        }
        return true;
    }

    /// @return whether the read was served
    private boolean serveRead(Pending<Integer> pending, List<Runnable> done) {
        try {
            int bytes = read(pending.buffer);
            if (bytes == 0) {
                return false;
            }
            done.add(() -> pending.served(bytes));
        } catch (RuntimeException e) {
            done.add(() -> pending.failed(e));
        }
        return true;
    }

    /// @return whether the write was served
    private boolean serveWrite(Pending<@Nullable Void> pending, List<Runnable> done) {
        try {
            pending.started |= write(pending.buffer) > 0;
            if (pending.buffer.hasRemaining()) {
                return false;
            }
            done.add(() -> pending.served(null));
        } catch (RuntimeException e) {
            done.add(() -> pending.failed(e));
        }
        return true;
    }

    private void throwFailure() {
        if (failure != null) {
            throw failure.get();
        }
    }

    /// Ends the exchange with an error. Only the first error counts.
    void fail(Supplier<RuntimeException> cause) {
        if (failure == null) {
            failure = cause;
        }
    }

    boolean hasFailed() {
        return failure != null;
    }

    /// Returns whether the server has ended the connection, and nothing else has failed.
    boolean hasEnded() {
        return ended && failure == null;
    }

    /// Returns the features reported by the server; 0 before the server has reported any.
    long features() {
        return features;
    }

    /// Returns whether the server has announced its buffer, or will never announce it.
    boolean isAnswered() {
        return peer != null || failure != null || ended;
    }

    /// Returns the reason why the server will never announce its buffer; null if the server has announced it or may
    /// still do so.
    @Nullable
    RuntimeException refusal() {
        if (peer != null) {
            return null;
        }
        return failure != null ? failure.get() : ended ? Failures.ended() : null;
    }

    /// Records that the server has ended the connection. Bytes that have arrived can still be read.
    void end() {
        ended = true;
    }

    /// Records that this end has closed the connection. The buffers must not be used any more.
    ///
    /// @param cause the exception for later calls
    void close(Supplier<RuntimeException> cause) {
        closed = true;
        failure = cause;
    }
}
