// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.soak;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.verbs4j.AddressHandle;
import io.verbs4j.CompletionQueue;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.PreparedQueuePair;
import io.verbs4j.QueuePair;
import io.verbs4j.QueuePairBuilder;
import io.verbs4j.QueuePairEndpoint;
import io.verbs4j.ReceiveBatch;
import io.verbs4j.RemoteMemory;
import io.verbs4j.SendBatch;
import io.verbs4j.WorkCompletion;
import io.verbs4j.types.Access;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// One queue pair of a [Pipe], with its own memory and ledgers. The memory has four parts: messages to send, receives,
/// targets of reads and atomics, and memory that the peer may access.
final class PipeEnd {
    private static final int MESSAGE_BYTES = 8 * MessageStream.MAX_WORDS;
    private static final int SLOTS = WorkLedger.SLOTS;
    private static final long RECEIVES = (long) SLOTS * MESSAGE_BYTES;
    private static final long BROUGHT = RECEIVES + (long) SLOTS * SoakSide.RECEIVE_BYTES;
    private static final long TARGET = BROUGHT + 8L * SLOTS;
    private static final long BYTES = TARGET + 8L * SLOTS;
    private static final int ROUTE_HEADER_BYTES = 40;

    private static final Access[] RIGHTS = {Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC};

    final SoakSide side;
    final WorkLedger sends;
    final WorkLedger receives;
    private final Soak soak;
    private final Pipe pipe;
    private final MemoryRegion memory;
    private final @Nullable MemoryWindow window;
    private final PreparedQueuePair prepared;
    private @Nullable QueuePair queuePair;
    private @Nullable AddressHandle path;
    private @Nullable QueuePairEndpoint peer;
    private @Nullable RemoteMemory target;
    private int psn;
    private volatile @Nullable MessageStream outgoing;
    private @Nullable MessageStream former;
    /// Additions to the peer's counter; guarded by the lock of the send queue.
    private long additions;
    /// Writes to the peer; guarded by the lock of the send queue.
    private long writes;

    PipeEnd(SoakSide side, Pipe pipe, Soak soak, RandomGenerator random) {
        this.side = side;
        this.soak = soak;
        this.pipe = pipe;
        CompletionQueue queue = side.queues.get(random.nextInt(side.queues.size()));
        sends = soak.ledger(true, this::sendCompleted);
        receives = soak.ledger(true, (completion, slot, _) -> receiveCompleted(completion, slot));
        memory = side.domain.allocate(
                BYTES,
                Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC,
                Access.MEMORY_WINDOW_BIND);
        window = pipe.kind == Pipe.Kind.WINDOWS ? side.domain.allocateMemoryWindow(MemoryWindow.Type.TYPE_2) : null;
        QueuePairBuilder builder = side.domain.queuePair(pipe.kind.type, queue)
                .receiveCompletionQueue(queue)
                .maxSends(SLOTS - 1)
                .maxInlineData(MESSAGE_BYTES)
                .packetSequenceNumber(random.nextInt(1 << 24))
                .access(RIGHTS)
                .timeout(14)
                .retryCount(7)
                .rnrRetry(7)
                .minRnrTimer(1);
        prepared = (pipe.kind == Pipe.Kind.SHARED ? builder.sharedReceiveQueue(side.shared)
                : builder.maxReceives(SLOTS - 1)).prepare();
        soak.tally.count(Tally.Item.QUEUE_PAIRS);
    }

    QueuePairEndpoint endpoint() {
        return prepared.endpoint();
    }

    void connect(PipeEnd other) {
        peer = other.endpoint();
        if (pipe.kind.type == QueuePairType.UD) {
            queuePair = prepared.start();
            path = newPath();
        } else {
            queuePair = prepared.connect(peer);
        }
        target = other.memory.remote();
    }

    private AddressHandle newPath() {
        return side.domain.createAddressHandle(vector());
    }

    /// Resets the queue pair and brings it to INIT.
    void reset(RandomGenerator random) {
        queuePair().modify(attributes(QueuePairState.RESET).build());
        soak.tally.add(Tally.Item.SILENT, sends.forget() + receives.forget());
        psn = random.nextInt(1 << 24);
        var init = attributes(QueuePairState.INIT).port(1).pkeyIndex(0);
        queuePair().modify(
                (pipe.kind.type == QueuePairType.UD ? init.qkey(endpoint().qkey()) : init.access(RIGHTS)).build());
    }

    /// Connects the queue pair, which is in INIT, to the same peer as before.
    void connectAgain(PipeEnd other) {
        var receiving = attributes(QueuePairState.RTR);
        var sending = attributes(QueuePairState.RTS).sendPsn(psn);
        if (pipe.kind.type != QueuePairType.UD) {
            receiving.addressVector(vector())
                    .pathMtu(endpoint().mtu())
                    .destinationQueuePairNumber(peer().queuePairNumber())
                    .receivePsn(other.psn);
        }
        if (pipe.kind.type == QueuePairType.RC) {
            receiving.maxDestinationReadAtomic(16).minRnrTimer(1);
            sending.timeout(14).retryCount(7).rnrRetry(7).maxReadAtomic(16);
        }
        queuePair().modify(receiving.build());
        queuePair().modify(sending.build());
    }

    private static QueuePairAttributes.Builder attributes(QueuePairState state) {
        return QueuePairAttributes.builder().state(state);
    }

    private AddressVector vector() {
        return AddressVector.roce(1, prepared.gidSelection().entry().index(), peer().gid());
    }

    /// Begins a stream of messages to the peer.
    void beginStream() {
        soak.retire(former);
        former = outgoing; // a packet of it may still be on the wire
        outgoing = soak.newStream(pipe.kind);
    }

    QueuePair queuePair() {
        return Objects.requireNonNull(queuePair);
    }

    private QueuePairEndpoint peer() {
        return Objects.requireNonNull(peer);
    }

    private RemoteMemory target() {
        return Objects.requireNonNull(target);
    }

    /// Posts receives as long as there is room.
    void fillReceives() {
        if (pipe.kind == Pipe.Kind.SHARED) {
            side.fillShared();
            return;
        }
        try (ReceiveBatch batch = queuePair().beginReceive()) {
            SoakSide.fill(batch, receives, memory, RECEIVES);
        }
    }

    /// Posts messages, some of which complete silently.
    void postMessages(int most, RandomGenerator random) {
        AddressHandle once = pipe.kind.type == QueuePairType.UD && random.nextInt(8) == 0 ? newPath() : null;
        AddressHandle to = once == null ? path : once;
        MessageStream stream = Objects.requireNonNull(outgoing);
        try (SendBatch batch = queuePair().beginSend()) {
            int count = 0;
            int slot;
            while (count < most && (slot = sends.free()) >= 0) {
                boolean signaled = count == most - 1 || random.nextInt(16) != 0;
                long number = stream.next();
                long id = sends.take(signaled, 0);
                if (!message(signaled ? batch.signaled() : batch, id, slot, stream, to, random)) {
                    sends.takeBack(1);
                    stream.backTo(number);
                    break;
                }
                count++;
            }
            requirePosted(batch.submit(), count);
        } finally {
            if (once != null) {
                once.close();
            }
        }
    }

    private boolean message(
            SendBatch batch, long id, int slot, MessageStream stream, @Nullable AddressHandle to,
            RandomGenerator random) {
        int words = 1 + random.nextInt(MessageStream.MAX_WORDS);
        long offset = (long) slot * MESSAGE_BYTES;
        stream.write(memory.segment(), offset, words);
        batch.workRequestId(id);
        if (to != null) {
            batch.to(to, peer());
        }
        return switch (random.nextInt(4)) {
            case 0 -> batch.send().inline(memory.segment(), offset, 8L * words).post();
            case 1 -> batch.send().immediate(stream.id()).local(memory, offset, 8L * words).post();
            default -> batch.send().local(memory, offset, 8L * words).post();
        };
    }

    /// Posts pairs of a write and a read that must bring the same back.
    void postWritesAndReads(int most) {
        try (SendBatch batch = queuePair().beginSend()) {
            int count = 0;
            while (count < most && sends.free() >= 0) {
                int slot = sends.free();
                long value = ++writes * 0x9E3779B97F4A7C15L;
                memory.segment().set(JAVA_LONG, (long) slot * MESSAGE_BYTES, value);
                if (!batch.signaled()
                        .workRequestId(sends.take(true, 0))
                        .write()
                        .local(memory, (long) slot * MESSAGE_BYTES, 8)
                        .remote(target(), TARGET + 8L * slot)
                        .post()) {
                    sends.takeBack(1);
                    break;
                }
                count++;
                int reading = sends.free();
                if (reading < 0) {
                    break;
                }
                if (!batch.signaled()
                        .workRequestId(sends.take(true, value))
                        .read()
                        .local(memory, BROUGHT + 8L * reading, 8)
                        .remote(target(), TARGET + 8L * slot)
                        .post()) {
                    sends.takeBack(1);
                    break;
                }
                count++;
            }
            requirePosted(batch.submit(), count);
        }
    }

    /// Posts additions to a counter of the peer's.
    void postAdditions(int most) {
        try (SendBatch batch = queuePair().beginSend()) {
            int count = 0;
            int slot;
            while (count < most && (slot = sends.free()) >= 0) {
                if (!batch.signaled()
                        .workRequestId(sends.take(true, additions))
                        .fetchAndAdd(1)
                        .local(memory, BROUGHT + 8L * slot, Long.BYTES)
                        .remote(target(), TARGET)
                        .post()) {
                    sends.takeBack(1);
                    break;
                }
                additions++;
                count++;
            }
            requirePosted(batch.submit(), count);
        }
    }

    /// Posts pairs of a bind and an invalidation.
    void postBinds(int most) {
        MemoryWindow bound = Objects.requireNonNull(window);
        try (SendBatch batch = queuePair().beginSend()) {
            int count = 0;
            int room = 0;
            while (room < most && room < SLOTS - sends.inFlight() - 2) {
                room += 2;
            }
            while (count < room && sends.free() >= 0) {
                if (!batch.signaled()
                        .workRequestId(sends.take(true, 0))
                        .bind(bound, Access.mask(Access.REMOTE_READ))
                        .local(memory, 0, 64)
                        .post()) {
                    sends.takeBack(1);
                    break;
                }
                count++;
                // A window that stays bound could not be bound again: without room for both, nothing is posted.
                if (sends.free() < 0) {
                    sends.takeBack(count);
                    return;
                }
                if (!batch.signaled().workRequestId(sends.take(true, 0)).invalidate(bound.remoteKey()).post()) {
                    sends.takeBack(count + 1);
                    return;
                }
                count++;
            }
            requirePosted(batch.submit(), count);
        }
    }

    /// Posts what a queue pair in ERR flushes.
    void postDoomed() {
        try (SendBatch batch = queuePair().beginSend()) {
            int count = 0;
            while (sends.free() >= 0) {
                batch.workRequestId(sends.take(true, 0)).signaled();
                if (path != null) {
                    batch.to(path, peer());
                }
                if (!batch.send().local(memory, 0, 8).post()) {
                    sends.takeBack(1);
                    break;
                }
                count++;
            }
            requirePosted(batch.submit(), count);
        }
    }

    /// Begins a batch and leaves it, with identifiers that must never come back.
    void abandon() {
        try (SendBatch batch = queuePair().beginSend()) {
            for (int i = 0; i < 3; i++) {
                batch.signaled().workRequestId(-1);
                if (path != null) {
                    batch.to(path, peer());
                }
                batch.send().local(memory, 0, 8).post();
            }
        }
        soak.tally.count(Tally.Item.ABANDONED);
    }

    private static void requirePosted(int submitted, int count) {
        if (submitted != count) {
            throw new AssertionError(submitted + " of " + count + " work requests were posted");
        }
    }

    private void sendCompleted(WorkCompletion completion, int slot, long note) {
        if (!completion.isSuccess()) {
            soak.failed(completion, pipe);
            return;
        }
        switch (pipe.kind) {
            case WINDOWS -> soak.tally.count(Tally.Item.BOUND_OR_INVALIDATED);
            case ATOMICS -> {
                requireBrought(slot, note, completion);
                soak.tally.count(Tally.Item.ADDED);
            }
            case MEMORY -> {
                if (note != 0) {
                    requireBrought(slot, note, completion);
                }
                soak.tally.count(Tally.Item.WRITTEN_OR_READ);
            }
            default -> soak.tally.count(Tally.Item.SENT);
        }
    }

    private void requireBrought(int slot, long expected, WorkCompletion completion) {
        long brought = memory.segment().get(JAVA_LONG, BROUGHT + 8L * slot);
        if (brought != expected) {
            throw new AssertionError(pipe + " brought " + Long.toHexString(brought) + ", not "
                    + Long.toHexString(expected) + ", with " + completion);
        }
    }

    private void receiveCompleted(WorkCompletion completion, int slot) {
        if (!completion.isSuccess()) {
            soak.failed(completion, pipe);
            return;
        }
        int header = pipe.kind.type == QueuePairType.UD ? ROUTE_HEADER_BYTES : 0;
        soak.received(completion, memory.segment(), RECEIVES + (long) slot * SoakSide.RECEIVE_BYTES, header);
    }

    /// Work requests that will have a completion.
    long inFlight() {
        return sends.inFlight() + receives.inFlight();
    }

    /// Gives back what the queue pair, which is closed, has left, and forgets it.
    void retire() {
        soak.tally.add(Tally.Item.DROPPED, soak.retire(sends) + soak.retire(receives));
        soak.retire(outgoing);
        soak.retire(former);
        if (path != null) {
            path.close();
        }
        if (window != null) {
            window.close();
        }
        memory.close();
    }
}
