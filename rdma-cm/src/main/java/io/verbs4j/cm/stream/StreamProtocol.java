// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import io.verbs4j.MemoryRegion;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.VerbsException;
import org.jspecify.annotations.Nullable;

/// The protocol of one end as a state machine. It never waits and uses no device. Completions are its input, and work
/// requests to the outbox are its output. Callers hold the monitor of this object. Waiting for a monitor allocates
/// nothing, but waiting for a lock of `java.util.concurrent` does.
final class StreamProtocol {
    /// Marks the identifiers of receives.
    static final long RECEIVE = 1L << 62;

    /// Marks the identifiers of credit and control messages, and of mappings. The other bits of the identifier of a
    /// message are a [report][SendWindow#report()].
    private static final long CONTROL = 1L << 61;

    /// The identifier of work requests whose success the protocol ignores. Most complete only if they fail. Over iWARP,
    /// writes also complete on success.
    static final long UNREPORTED = 1L << 60;

    /// The length of a data message over iWARP. The receive does not report the length of the preceding write.
    static final int UNKNOWN_LENGTH = -1;

    private static final int NO_END = -1;

    private final StreamOutbox outbox;
    private final StreamMemory memory;
    private final Greeting peer;
    /// Whether the device reports the completion of each data message. True in a group: without these reports, a round
    /// trip of sockets over SoftRoCE takes 1.5 times as long (`tools/lab bench --sockets`). The probable reason is that
    /// the thread that takes the group's events already sleeps when the peer's answer arrives. Other streams are faster
    /// without these reports.
    private final boolean reportsAll;
    private final SendWindow out;
    private final ReceiveWindow in;
    private final PeerMappings mappings;
    private StreamState state = StreamState.OPEN;
    private @Nullable VerbsException failure;
    private Runnable onRefusal = () -> {};
    /// The value of the pending control message. It is sent when there is room.
    private int pendingEnd = NO_END;
    private boolean inputShut;
    private int usedReceives;
    private int controls;
    private int outstandingControls;
    private int pieceAt = 1; // the greeting contained the first piece
    private int peerPieceAt = 1;

    StreamProtocol(StreamOutbox outbox, StreamMemory memory, Greeting peer, StreamOptions options) {
        this.outbox = outbox;
        this.memory = memory;
        this.peer = peer;
        this.reportsAll = options.group() != null;
        this.out = new SendWindow(options.sendBytes(), options.messages(), peer);
        this.in = new ReceiveWindow(options.receiveBytes(), options.messages());
        this.mappings = new PeerMappings(options.mappings());
    }

    /// Sets an action that runs when a work request could not be posted. The caller of that post holds the monitor.
    void onRefusal(Runnable action) {
        onRefusal = action;
    }

    SendWindow out() {
        return out;
    }

    ReceiveWindow in() {
        return in;
    }

    PeerMappings mappings() {
        return mappings;
    }

    StreamState state() {
        return state;
    }

    /// Returns the bits of [Readiness].
    int readiness() {
        boolean stands = state.isStanding();
        int ready = 0;
        if (inputShut || in.waiting() > 0 || !stands || state == StreamState.CLOSING || state.isInputEnded()) {
            ready |= Readiness.READ;
        }
        boolean refuses = !stands || state == StreamState.CLOSING || state.isOutputEnded();
        if (refuses || out.next(1) > 0) {
            ready |= Readiness.WRITE;
        }
        if (refuses || out.nextDirect(1) > 0) {
            ready |= Readiness.WRITE_MAPPED;
        }
        if (refuses || mayMap()) {
            ready |= Readiness.MAP;
        }
        if (state == StreamState.CLOSED) {
            ready |= Readiness.DONE;
        }
        return ready;
    }

    /// Returns whether the entry for a mapping is free, and a credit is available.
    boolean mayMap() {
        return outstandingControls == 0 && out.mayAnnounce();
    }

    /// Offers the second half of the ring to the peer. Enters the monitor itself. Throws if that is impossible.
    synchronized void start() {
        advance();
        requireReadable();
    }

    /// Handles a completion. Call [#advance()] after the last one of a batch.
    ///
    /// @param status one of [CompletionStatus]
    /// @param immediate the immediate data of a successful receive; otherwise ignored
    /// @param length number of bytes that the peer wrote with the immediate data, or [#UNKNOWN_LENGTH]
    void completed(long id, int status, int immediate, int length) {
        boolean success = status == CompletionStatus.SUCCESS.value();
        if (!success) {
            failed(status);
        }
        if ((id & RECEIVE) != 0) {
            usedReceives++;
            if (success) {
                received(immediate, length);
            }
        } else if (id != UNREPORTED) {
            if ((id & CONTROL) != 0) {
                outstandingControls--;
            }
            out.done(id);
        }
    }

    private void failed(int status) {
        boolean flushed = status == CompletionStatus.WORK_REQUEST_FLUSHED.value();
        broken(flushed ? null : StreamFailures.failed(CompletionStatus.of(status)));
    }

    /// Records that the connection has ended. Call this after the last completion.
    ///
    /// @param cause null if it ended without an error
    void broken(@Nullable VerbsException cause) {
        if (failure == null && state.isStanding()) {
            failure = cause;
        }
        state = state.afterBreak();
    }

    private void received(int immediate, int length) {
        try {
            int value = Immediate.value(immediate);
            switch (Immediate.type(immediate)) {
                case Immediate.DATA -> in.arrived(value);
                case Immediate.CREDITS -> {
                    out.credits(value);
                    if (length == UNKNOWN_LENGTH ? memory.hasPiece(pieceAt) : length > 0) {
                        memory.takePiece(pieceAt, out);
                        pieceAt = (pieceAt + 1) % Greeting.ENTRIES;
                    }
                }
                case Immediate.IOMAP -> mapped(value);
                case Immediate.CONTROL -> control(value);
                default ->
                    throw StreamFailures.protocol("its message has the unknown type " + Immediate.type(immediate));
            }
        } catch (VerbsException e) {
            broken(e);
        }
    }

    private void mapped(int index) {
        if (index >= mappings.count()) {
            throw StreamFailures
                    .protocol("it used mapping number " + index + " of a table with " + mappings.count() + " entries");
        }
        memory.takeMapping(index, mappings);
        in.announced();
    }

    private void control(int value) {
        switch (value) {
            case Immediate.DISCONNECT -> state = state.afterPeersClose();
            case Immediate.SHUTDOWN -> state = state.afterPeersEnd();
            case Immediate.KEEPALIVE -> {
                // A keep-alive has no effect.
            }
            default -> throw StreamFailures.protocol("its control message has the unknown value " + value);
        }
    }

    /// Breaks the stream, because a work request could not be posted. The send window already counts the lost message,
    /// so later bytes would arrive at wrong positions of the peer's ring.
    ///
    /// @return the failure of the stream
    private VerbsException refused(RuntimeException cause) {
        broken(cause instanceof VerbsException e ? e : StreamFailures.refused(cause));
        onRefusal.run();
        return failure();
    }

    /// Sends everything that is due and possible: replacements of used receives, credits, and the end of the stream. If
    /// that fails, later calls of the program report the failure.
    void advance() {
        try {
            if (state.isStanding()) {
                sendDue();
            }
        } catch (RuntimeException e) {
            refused(e);
        }
        usedReceives = 0;
        if (state == StreamState.CLOSING && pendingEnd == NO_END && isIdle()) {
            state = StreamState.CLOSED;
        }
    }

    private void sendDue() {
        if (usedReceives > 0) {
            outbox.receive(usedReceives);
        }
        if (pendingEnd != NO_END && mayControl()) {
            control(Immediate.of(Immediate.CONTROL, pendingEnd), 0);
            pendingEnd = NO_END;
        }
        giveCredits();
    }

    private void giveCredits() {
        if (!in.isUpdateDue() || !mayControl() || state == StreamState.CLOSING) {
            return;
        }
        control(Immediate.of(Immediate.CREDITS, in.limit()), in.offersHalf() ? in.half() : 0);
        in.updated();
    }

    private boolean mayControl() {
        return outstandingControls < StreamMemory.CONTROLS;
    }

    /// Sends a message without data.
    ///
    /// @param half length of the offered half of the ring; 0 to offer none
    private void control(int immediate, int half) {
        int slot = controls;
        controls = (controls + 1) % StreamMemory.CONTROLS;
        long id = controlId();
        if (half == 0) {
            outbox.signal(id, immediate);
            return;
        }
        long at = memory.putPiece(slot, in.freedAt(), half, peer.bigEndian());
        long entry = peer.tableAddress() + (long) peerPieceAt * StreamMemory.ENTRY;
        peerPieceAt = (peerPieceAt + 1) % peer.tableEntries();
        outbox.write(id, memory.sendAddress(at), StreamMemory.ENTRY, entry, peer.tableKey(), immediate);
    }

    private long controlId() {
        outstandingControls++;
        return CONTROL | out.report();
    }

    private long dataId() {
        return reportsAll || out.isReportDue() ? out.report() : UNREPORTED;
    }

    /// Records that bytes were read.
    void read(int bytes) {
        in.read(bytes);
        advance();
    }

    /// Sends bytes that are in this end's ring, to the position determined by the window.
    ///
    /// @param bytes at most what [SendWindow#next(int)] returned
    void sendData(int bytes) {
        long from = memory.sendAddress(out.ringAt());
        long to = out.address();
        int key = out.key();
        out.sent(bytes);
        write(dataId(), from, bytes, to, key, Immediate.of(Immediate.DATA, bytes));
    }

    private void write(long id, long from, int length, long to, int key, int immediate) {
        try {
            outbox.write(id, from, length, to, key, immediate);
        } catch (RuntimeException e) {
            throw refused(e);
        }
    }

    /// Sends bytes from this end's ring to memory that the peer has mapped.
    ///
    /// @param bytes at most what [SendWindow#nextDirect(int)] returned
    void sendDirect(int bytes, long to, int key) {
        long from = memory.sendAddress(out.ringAt());
        out.sentDirect(bytes);
        try {
            outbox.writeSilently(dataId(), from, bytes, to, key);
        } catch (RuntimeException e) {
            throw refused(e);
        }
    }

    /// Offers memory to the peer for direct writes. Requires [#mayMap()].
    void sendMapping(int index, long offset, MemoryRegion region) {
        long at = memory.putMapping(offset, region, peer.bigEndian());
        long entry = peer.tableAddress() + StreamMemory.mappingAt(peer.tableEntries(), index);
        out.announced();
        write(
                controlId(), memory.sendAddress(at), StreamMemory.MAPPING, entry, peer.tableKey(),
                Immediate.of(Immediate.IOMAP, index));
    }

    /// Ends input for this end's readers, who then read no more bytes. Idempotent.
    void shutInput() {
        inputShut = true;
    }

    boolean isInputShut() {
        return inputShut;
    }

    /// Ends output. Idempotent.
    void endOutput() {
        if (!state.isOutputEnded()) {
            state = state.afterOwnEnd();
            if (state.isOutputEnded()) {
                pendingEnd = Immediate.SHUTDOWN;
                advance();
            }
        }
    }

    /// Closes this end. Accepted bytes are still sent, followed by the disconnect message.
    void close() {
        close(Immediate.DISCONNECT);
    }

    /// Closes this end without a disconnect message. Accepted bytes are still sent, followed by a message that has no
    /// effect. The completion of that message reports the completion of the bytes.
    void reset() {
        close(out.isIdle() ? NO_END : Immediate.KEEPALIVE);
    }

    private void close(int end) {
        if (state.isOpen()) {
            state = state.isStanding() ? StreamState.CLOSING : StreamState.CLOSED;
            pendingEnd = end;
            advance();
        }
    }

    private boolean isIdle() {
        return out.isIdle() && outstandingControls == 0;
    }

    /// Throws if this end is closed.
    void requireOpen() {
        if (!state.isOpen()) {
            throw new IllegalStateException("the stream is closed");
        }
    }

    /// Throws if a reader that has read all bytes cannot wait for more.
    void requireReadable() {
        requireOpen();
        if (state == StreamState.BROKEN) {
            throw failure();
        }
    }

    /// Throws if writing is impossible.
    void requireWritable() {
        requireOpen();
        if (state.isOutputEnded()) {
            throw new IllegalStateException("the output of the stream is shut down");
        }
        if (state == StreamState.BROKEN || failure != null) {
            throw failure();
        }
        if (state == StreamState.PEER_CLOSED) {
            throw StreamFailures.peerClosed();
        }
    }

    private VerbsException failure() {
        return failure == null ? StreamFailures.reset() : failure;
    }
}
