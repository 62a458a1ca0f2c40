// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.CompletionQueue;
import io.verbs4j.QueuePair;
import io.verbs4j.types.Ranges;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One end of [Messages]: credits and buffers, under the pump's lock. Thread-safe.
final class MessageLink {
    private final MessagePump pump;
    private final ReentrantLock lock;
    private final BooleanSupplier ended;
    private final MessageBuffers buffers;
    private final MessageCredits credits;
    private final IncomingMessage[] incoming;
    private final OutgoingMessage[] outgoing;
    private final ArrayDeque<IncomingMessage> inbox = new ArrayDeque<>(); // guarded by the lock, like the rest
    private int outstanding;
    private int announcing; // number of outstanding announcements
    private int undelivered;
    private @Nullable MessageFailure failure;
    private boolean leaving; // announces all free receives, in case an acknowledgement is lost
    private boolean closing;
    private boolean gaveUp; // the drain time has passed while the connection was sound

    /// Allocates the buffers and posts all receives.
    ///
    /// @param ended whether the connection has ended
    MessageLink(QueuePair queuePair, CompletionQueue queue, MessageTerms terms, boolean plain, BooleanSupplier ended) {
        this.pump = new MessagePump(queue, this::completed);
        this.lock = pump.lock;
        this.ended = ended;
        this.credits = new MessageCredits(terms.count());
        this.buffers = new MessageBuffers(queuePair, terms, plain);
        this.incoming = new IncomingMessage[buffers.receives()];
        for (int slot = 0; slot < incoming.length; slot++) {
            incoming[slot] = new IncomingMessage(this, slot);
        }
        this.outgoing = new OutgoingMessage[buffers.sends()];
        for (int i = 0; i < outgoing.length; i++) {
            outgoing[i] = new OutgoingMessage(this, pump, incoming.length + i);
        }
        if (plain) {
            credits.begin(MessageCredits.UNLIMITED);
        }
    }

    /// Sets the number of the peer's receives.
    void begin(int peersCount) {
        lock.lock();
        try {
            credits.begin(peersCount);
        } finally {
            lock.unlock();
        }
    }

    int bytes() {
        return buffers.bytes();
    }

    /// Returns the number of messages that the peer has room for, as far as this end knows.
    int credits() {
        lock.lock();
        try {
            return credits.available();
        } finally {
            lock.unlock();
        }
    }

    void send(byte[] message, long deadline) throws InterruptedException {
        Ranges.check("message.length", message.length, 0, buffers.bytes());
        lock.lockInterruptibly();
        try {
            OutgoingMessage claimed = claim(deadline);
            if (claimed == null) {
                throw MessageFailure.unsent(credits.available(), outstanding, pump.composed);
            }
            buffers.write(claimed.slot(), message);
            post(claimed, message.length);
        } finally {
            lock.unlock();
        }
    }

    @Nullable
    OutgoingMessage compose(long deadline) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            OutgoingMessage claimed = claim(deadline);
            if (claimed != null) {
                claimed.hold();
            }
            return claimed;
        } finally {
            lock.unlock();
        }
    }

    /// Takes a credit and a send slot.
    private @Nullable OutgoingMessage claim(long deadline) throws InterruptedException {
        pump.look();
        // Closing a composed message makes room without a completion.
        for (boolean more = true; true; more = pump.advance(deadline, !announceIfDue() || pump.composed > 0)) {
            requireConnected();
            if (buffers.hasRoom() && credits.take()) {
                return outgoing[buffers.takeSend() - incoming.length];
            }
            if (!more) {
                return null;
            }
        }
    }

    void send(OutgoingMessage message, int length) {
        Ranges.check("length", length, 0, buffers.bytes());
        lock.lock();
        try {
            requireConnected();
            message.letGo();
            post(message, length);
        } finally {
            lock.unlock();
        }
    }

    private void post(OutgoingMessage message, int length) {
        int announced = credits.announce();
        boolean posted = false;
        try {
            RuntimeException doorbell = buffers.send(message.slot(), MessageBuffers.MESSAGE, announced, length);
            posted = true;
            outstanding++;
            if (doorbell != null) {
                throw doorbell;
            }
        } finally {
            if (!posted) {
                credits.unannounce(announced);
                giveBack(message);
            }
        }
    }

    private void giveBack(OutgoingMessage message) {
        credits.giveBack();
        buffers.giveSend(message.slot());
        pump.signal();
    }

    void discard(OutgoingMessage message) {
        lock.lock();
        try {
            if (message.isHeld()) {
                message.letGo();
                giveBack(message);
            }
        } finally {
            lock.unlock();
        }
    }

    byte @Nullable [] receive(long deadline) throws InterruptedException {
        return next(deadline, message -> {
            byte[] copy = buffers.read(message.slot(), message.length());
            letGo(message);
            return copy;
        });
    }

    @Nullable
    IncomingMessage take(long deadline) throws InterruptedException {
        return next(deadline, Function.identity());
    }

    private <T> @Nullable T next(long deadline, Function<IncomingMessage, T> taken) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (inbox.isEmpty()) {
                if (failure != null) {
                    pump.look(); // messages may have arrived after a failed post
                }
                if (inbox.isEmpty()) {
                    requireSound();
                    if (!pump.advance(deadline, !announceIfDue())) {
                        return null;
                    }
                }
            }
            pump.requireOpen();
            return taken.apply(inbox.remove());
        } finally {
            lock.unlock();
        }
    }

    void release(IncomingMessage message) {
        lock.lock();
        try {
            if (message.isHeld()) {
                letGo(message);
            }
        } finally {
            lock.unlock();
        }
    }

    private void letGo(IncomingMessage message) {
        message.letGo();
        if (receiveAgain(message.slot())) {
            credits.free();
            announceIfDue();
        }
    }

    private boolean receiveAgain(int slot) {
        if (failure != null) {
            return false;
        }
        try {
            buffers.receive(slot);
            return true;
        } catch (VerbsException | IllegalStateException e) {
            fail(MessageFailure.of(e));
            return false;
        }
    }

    /// Announces credits that no message has carried.
    ///
    /// @return false if this has failed, for example because the program's own work fills the send queue
    private boolean announceIfDue() {
        boolean due = leaving ? !credits.isAnnounced() : credits.isDue();
        if (buffers.isPlain() || failure != null || !due || !buffers.hasRoomForAnnouncement()) {
            return true; // the next message carries them, or the next send completion retries
        }
        int slot = buffers.takeSend();
        int count = credits.announce();
        try {
            RuntimeException doorbell = buffers.send(slot, MessageBuffers.CREDITS, count, 0);
            announcing++;
            if (doorbell != null) {
                fail(MessageFailure.of(doorbell));
            }
            return doorbell == null;
        } catch (VerbsException | IllegalStateException e) {
            credits.unannounce(count);
            buffers.giveSend(slot);
            return false;
        }
    }

    /// Returns the memory of a message's bytes.
    MemorySegment content(int slot, int length) {
        lock.lock();
        try {
            pump.requireOpen();
            return buffers.content(slot, length);
        } finally {
            lock.unlock();
        }
    }

    private void completed(MessageCompletions completions, int index) {
        long mark = completions.id(index) & MessageBuffers.ANNOUNCEMENT;
        int slot = (int) completions.id(index);
        MessageFailure failed = completions.failure(index);
        if (failed != null) {
            fail(failed);
        }
        if (mark == MessageBuffers.SEND) {
            outstanding--;
            undelivered += failed == null ? 0 : 1;
        } else if (mark == MessageBuffers.ANNOUNCEMENT) {
            announcing--;
        }
        if (failed == null && mark == MessageBuffers.RECEIVE) {
            received(incoming[slot], buffers.contentLength(completions.bytes(index)));
        } else if (failed == null && mark != 0) {
            buffers.giveSend(slot);
            announceIfDue();
        }
    }

    private void received(IncomingMessage message, int length) {
        int kind = length < 0 ? 0 : buffers.kind(message.slot());
        if (kind != MessageBuffers.MESSAGE && kind != MessageBuffers.CREDITS) {
            fail(MessageFailure.FOREIGN);
        } else if (!credits.add(buffers.credits(message.slot()))) {
            fail(MessageFailure.BAD_CREDITS);
        } else if (kind == MessageBuffers.CREDITS) {
            receiveAgain(message.slot());
        } else {
            message.hold(length);
            inbox.add(message);
        }
    }

    private void fail(MessageFailure reason) {
        MessageFailure before = failure;
        if (before == null || before.isFlush()) {
            failure = reason;
        }
    }

    private void requireConnected() {
        requireSound();
        if (ended.getAsBoolean()) {
            throw MessageFailure.ENDED.exception();
        }
    }

    private void requireSound() {
        MessageFailure reason = failure;
        if (reason != null) {
            throw reason.exception();
        }
        pump.requireOpen();
    }

    private boolean isAwaited() {
        return outstanding + announcing > 0 && failure == null && !ended.getAsBoolean();
    }

    /// Waits until all sent messages and announcements have completed, or the connection has ended.
    void awaitDelivery(long deadline) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            leaving = true;
            announceIfDue();
            while (isAwaited() && pump.advance(deadline)) {
                // A message or announcement has completed.
            }
            gaveUp = isAwaited();
        } finally {
            lock.unlock();
        }
    }

    /// Ends all work. Only the first call has an effect.
    ///
    /// @param drain the longest time to wait for messages that have not reached the peer
    /// @param stop moves the queue pair to ERR
    /// @return whether this was the first call
    boolean end(Duration drain, Duration flush, Runnable stop) {
        boolean interrupted = Thread.interrupted();
        lock.lock();
        try {
            if (closing) {
                return false;
            }
            closing = true;
            if (failure == null && !ended.getAsBoolean()) {
                leaving = true;
                announceIfDue();
                interrupted |= pump.awaitUninterruptibly(() -> outstanding + announcing == 0, drain);
                gaveUp = isAwaited();
            }
            if (outstanding > 0 || pump.isPolling()) { // stopping ends the wait of a polling thread
                stop.run();
                interrupted |= pump.awaitUninterruptibly(() -> outstanding == 0 && !pump.isPolling(), flush);
            }
            pump.close();
            return true;
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Frees the buffers and the queue pair.
    void close() {
        buffers.close();
    }

    /// Throws if messages have not reached the peer.
    void requireDelivery() {
        lock.lock();
        try {
            int lost = Math.min(outstanding + undelivered, credits.unconfirmed());
            if (lost > 0) {
                MessageFailure reason = failure == null ? MessageFailure.ENDED : failure;
                throw MessageFailure.undelivered(lost, gaveUp && reason.isFlush() ? null : reason);
            }
        } finally {
            lock.unlock();
        }
    }
}
