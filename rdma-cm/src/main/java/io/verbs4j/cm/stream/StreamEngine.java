// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import io.verbs4j.CompletionQueue;
import io.verbs4j.MemoryRegion;
import io.verbs4j.QueuePair;
import io.verbs4j.RemoteMemory;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.ScatterGatherList;
import io.verbs4j.types.VerbsException;
import io.verbs4j.types.WorkRequestOpcode;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The protocol of one end: takes completions, posts messages, gives credits. All methods but [#lock] and [#unlock] need the lock.
///
/// Of the threads that wait, one at a time waits for completions, without the lock; the others wait until it has looked at them.
final class StreamEngine {
    /// Marks the completions of credits and ends of streams.
    private static final long CONTROL = 1L << 61;

    private final QueuePair queuePair;
    private final StreamMemory memory;
    private final Greeting peer;
    private final SendWindow out;
    private final ReceiveWindow in;
    private final PeerMappings mappings;
    private final Completions completions;
    private final RemoteMemory peerTable;
    private final ScatterGatherList nothing = new ScatterGatherList();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition progress = lock.newCondition();
    private boolean taking;
    private long rounds;
    private int controls;
    private int controlsUnderWay;
    private int pieceAt;
    private int peerPieceAt = 1;
    private boolean peerShut;
    private boolean peerClosed;
    private boolean ended;
    private boolean farewell;
    private @Nullable VerbsException failure;

    StreamEngine(
            QueuePair queuePair, CompletionQueue queue, StreamMemory memory, Greeting peer, StreamOptions options) {
        this.queuePair = queuePair;
        this.memory = memory;
        this.peer = peer;
        this.out = new SendWindow(options.sendBytes(), StreamSetup.QUEUE, peer);
        this.in = new ReceiveWindow(options.receiveBytes(), StreamSetup.QUEUE);
        this.mappings = new PeerMappings(options.mappings());
        this.completions = new Completions(queue);
        this.peerTable = new RemoteMemory(peer.tableAddress(), StreamMemory.ENTRY, peer.tableKey());
        this.pieceAt = 1; // the first piece came with the greeting
    }

    void lock() {
        lock.lock();
    }

    void unlock() {
        lock.unlock();
    }

    SendWindow out() {
        return out;
    }

    ReceiveWindow in() {
        return in;
    }

    /// Returns whether the peer will send no more data, as it has said.
    boolean isInputEnded() {
        return peerShut || peerClosed;
    }

    /// Throws what makes reading impossible, if anything does.
    void requireReadable() {
        requireSound();
        if (ended) {
            throw StreamFailures.reset();
        }
    }

    /// Throws what makes writing impossible, if anything does.
    void requireWritable() {
        requireSound();
        if (peerClosed) {
            throw StreamFailures.peerClosed();
        }
        if (ended) {
            throw StreamFailures.reset();
        }
    }

    private void requireSound() {
        VerbsException before = failure;
        if (before != null) {
            throw before;
        }
    }

    /// Returns whether anything that is sent can arrive.
    boolean isStanding() {
        return failure == null && !ended && !peerClosed;
    }

    /// Wakes the threads that wait.
    void wake() {
        rounds++;
        progress.signalAll();
    }

    /// Looks at completions, and waits for some if there are none, or for another thread to look at some. May return early.
    ///
    /// @param nanos the longest wait; 0 for none
    void pump(long nanos) throws InterruptedException {
        if (taking) {
            long left = Math.min(nanos, Completions.SLICE.toNanos());
            for (long before = rounds; rounds == before && left > 0;) {
                left = progress.awaitNanos(left);
            }
            return;
        }
        taking = true;
        completions.clear();
        lock.unlock();
        try {
            completions.take(nanos);
        } finally {
            lock.lock();
            taking = false;
            wake();
            lookAtCompletions();
        }
    }

    private void lookAtCompletions() {
        int received = 0;
        for (int i = 0; i < completions.count(); i++) {
            long id = completions.id(i);
            int status = completions.status(i);
            if (status != CompletionStatus.SUCCESS.value()) {
                failed(status);
            }
            if ((id & StreamSetup.RECEIVE) != 0) {
                if (status == CompletionStatus.SUCCESS.value() && failure == null) {
                    received++;
                    received(completions.immediate(i), completions.length(i));
                }
            } else if ((id & CONTROL) != 0) {
                controlsUnderWay--;
            } else {
                out.done((int) id);
            }
        }
        if (isStanding()) {
            postReceives(received);
            giveCredits();
        }
    }

    private void failed(int status) {
        if (status == CompletionStatus.WORK_REQUEST_FLUSHED.value()) {
            ended = true;
        } else if (failure == null && !peerClosed && !farewell) {
            failure = StreamFailures.failed(CompletionStatus.of(status));
        }
    }

    private void received(int immediate, int length) {
        try {
            int value = Immediate.value(immediate);
            switch (Immediate.type(immediate)) {
                case Immediate.DATA -> in.arrived(value);
                case Immediate.CREDITS -> {
                    out.credits(value);
                    if (length > 0) {
                        memory.takePiece(pieceAt, out);
                        pieceAt = (pieceAt + 1) % Greeting.ENTRIES;
                    }
                }
                case Immediate.IOMAP -> mapped(value);
                case Immediate.CONTROL -> control(value);
                default -> throw StreamFailures.protocol("its message is of type " + Immediate.type(immediate));
            }
        } catch (VerbsException e) {
            failure = e;
        }
    }

    private void mapped(int index) {
        if (index >= mappings.count()) {
            throw StreamFailures.protocol("it maps memory as number " + index + " of " + mappings.count());
        }
        memory.takeMapping(index, mappings);
    }

    private void control(int value) {
        switch (value) {
            case Immediate.DISCONNECT -> peerClosed = true;
            case Immediate.SHUTDOWN -> peerShut = true;
            case Immediate.KEEPALIVE -> {
                // It lives.
            }
            default -> throw StreamFailures.protocol("its control message has the value " + value);
        }
    }

    private void postReceives(int count) {
        if (count == 0) {
            return;
        }
        try (var batch = queuePair.beginReceive()) {
            for (int i = 0; i < count; i++) {
                batch.workRequestId(StreamSetup.RECEIVE).receive(nothing);
            }
            batch.submit();
        }
    }

    /// Gives the peer credits, and a piece of the ring, if that is due and can be sent.
    void giveCredits() {
        if (!in.isUpdateDue() || !canControl() || !isStanding() || farewell) {
            return;
        }
        int immediate = Immediate.of(Immediate.CREDITS, in.limit());
        if (in.offersHalf()) {
            long at = memory.putPiece(controls, in.freedAt(), in.half(), peer.bigEndian());
            long entry = peer.tableAddress() + (long) peerPieceAt * StreamMemory.ENTRY;
            post(CONTROL, memory.sendAddress(at), StreamMemory.ENTRY, entry, peer.tableKey(), immediate);
            peerPieceAt = (peerPieceAt + 1) % peer.tableEntries();
            noteControl();
        } else {
            post(immediate);
        }
        in.updated();
    }

    /// Returns whether one more message without data may be sent.
    boolean canControl() {
        return controlsUnderWay < StreamMemory.CONTROLS;
    }

    /// Sends the end of the stream, or of this direction of it. There must be room for it.
    void sendEnd(int how) {
        farewell = how == Immediate.DISCONNECT;
        post(Immediate.of(Immediate.CONTROL, how));
    }

    private void post(int immediate) {
        try (var batch = queuePair.beginSend()) {
            batch.signaled().workRequestId(CONTROL);
            requirePosted(batch.rdmaWriteWithImmediate(immediate, nothing, peerTable, 0));
            batch.submit();
        }
        noteControl();
    }

    private void noteControl() {
        controls = (controls + 1) % StreamMemory.CONTROLS;
        controlsUnderWay++;
    }

    /// Sends bytes that are in our ring, where the window wants them.
    ///
    /// @param bytes at most what [SendWindow#next(int)] returned
    void sendData(int bytes) {
        long from = memory.sendAddress(out.ringAt());
        long to = out.address();
        int key = out.key();
        out.sent(bytes);
        post(bytes, from, bytes, to, key, Immediate.of(Immediate.DATA, bytes));
    }

    private void post(long id, long from, int length, long to, int key, int immediate) {
        try (var batch = queuePair.beginSend()) {
            batch.signaled().workRequestId(id);
            requirePosted(batch.post(
                    WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE, from, length, memory.sendKey(), to, key, immediate));
            batch.submit();
        }
    }

    PeerMappings mappings() {
        return mappings;
    }

    /// Sends bytes that are in our ring to memory that the peer has mapped; the peer hears nothing of it.
    ///
    /// @param bytes at most what [SendWindow#nextDirect(int)] returned
    void sendDirect(int bytes, long to, int key) {
        long from = memory.sendAddress(out.ringAt());
        out.sentDirect(bytes);
        try (var batch = queuePair.beginSend()) {
            batch.signaled().workRequestId(bytes);
            requirePosted(batch.post(WorkRequestOpcode.RDMA_WRITE, from, bytes, memory.sendKey(), to, key, 0));
            batch.submit();
        }
    }

    /// Offers memory to the peer for direct writes. All that was sent must have arrived, and a credit must be there.
    void sendMapping(int index, long offset, MemoryRegion region) {
        long at = memory.putMapping(offset, region, peer.bigEndian());
        out.announced();
        post(
                0,
                memory.sendAddress(at),
                StreamMemory.MAPPING,
                peer.tableAddress() + StreamMemory.mappingAt(peer.tableEntries(), index),
                peer.tableKey(),
                Immediate.of(Immediate.IOMAP, index));
    }

    private static void requirePosted(boolean posted) {
        if (!posted) {
            throw new IllegalStateException("the send queue is full, though it has room for all that is counted");
        }
    }

    /// Returns whether all that was sent has arrived, or failed.
    boolean isIdle() {
        return out.isIdle() && controlsUnderWay == 0;
    }
}
