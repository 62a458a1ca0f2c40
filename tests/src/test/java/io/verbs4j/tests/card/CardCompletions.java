// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.card;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.verbs4j.abi.device.EventFile;
import io.verbs4j.simulator.kernel.EventQueue;
import io.verbs4j.spi.Completion;
import io.verbs4j.spi.ProviderCompletionQueue;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// A completion queue: slots of 64 bytes in the program's memory, which the card fills in order. A slot is written from
/// its start, and the ownership byte last. Completions without room wait.
final class CardCompletions {
    static final int SLOT = 64;

    private static final int COUNTER = 0xffffff;
    private static final int SOLICITED = 1 << 24;
    private static final int RESIZED = 5;
    /// No arming command: bit 31 is always 0.
    private static final int NEVER = -1;

    /// The queue of rxe in which all work requests complete, also those that do so silently on the card.
    final ProviderCompletionQueue inner;

    final int handle;
    private final long userHandle;
    private final @Nullable EventQueue channel;
    private final @Nullable EventFile innerChannel;
    private final MemorySegment innerEvent = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);
    private final long record;
    private final ArrayDeque<byte[]> waiting = new ArrayDeque<>();
    private long buffer;
    private int entries;
    private int producer;
    private int lastArming = NEVER;
    /// Number of the completion behind the last solicited one.
    private int solicited;

    private boolean armed;
    private boolean armedForSolicited;

    /// @param innerChannel has an event for each of rxe's completions that was solicited
    CardCompletions(
            ProviderCompletionQueue inner,
            long userHandle,
            @Nullable EventQueue channel,
            @Nullable EventFile innerChannel,
            long buffer,
            long record,
            int entries) {
        this.inner = inner;
        this.handle = inner.handle();
        this.userHandle = userHandle;
        this.channel = channel;
        this.innerChannel = innerChannel;
        this.buffer = buffer;
        this.record = record;
        this.entries = entries;
        // The first arming is all zero, like a new record. Without this mark it would be missed if a doorbell of
        // another queue came so soon that the card overlooked it.
        CardMemory.at(record, 8).set(CardMemory.INT, Integer.BYTES, NEVER);
        if (innerChannel != null) {
            inner.requestNotification(true);
        }
    }

    /// Goes on in another ring, behind a mark in the present one.
    void resize(long newBuffer, int newEntries) {
        byte[] mark = new byte[SLOT];
        mark[SLOT - 1] = RESIZED << 4;
        write(mark);
        buffer = newBuffer;
        entries = newEntries;
    }

    /// Returns whether a ring of so many entries can hold what the program has not polled.
    boolean fits(int others) {
        return (producer - CardMemory.record(record, 0) & COUNTER) < others;
    }

    void put(ByteBuffer completion) {
        waiting.add(completion.array());
        deliver();
    }

    /// Writes as many completions as there is room for.
    ///
    /// @return whether it wrote anything
    boolean deliver() {
        boolean some = false;
        while (!waiting.isEmpty() && (producer - CardMemory.record(record, 0) & COUNTER) < entries - 1) {
            write(waiting.remove());
            some = true;
        }
        if (some && armed && !armedForSolicited) {
            raise();
        }
        return some;
    }

    private void write(byte[] bytes) {
        MemorySegment slot = CardMemory.at(buffer + (long) (producer & entries - 1) * SLOT, SLOT);
        int owner = (producer & entries) == 0 ? 0 : 1;
        MemorySegment.copy(bytes, 0, slot, JAVA_BYTE, 0, SLOT - 1);
        JAVA_BYTE.varHandle().setRelease(slot, SLOT - 1L, (byte) ((bytes[SLOT - 1] & ~1) | owner));
        producer++;
    }

    private void raise() {
        armed = false;
        if (channel != null) {
            byte[] record = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder()).putLong(userHandle).array();
            channel.add(new EventQueue.Event(record, this, () -> {}));
        }
    }

    /// Checks whether the program has armed the queue.
    ///
    /// @param rung whether the doorbell was for this queue
    void arming(boolean rung) {
        int command = CardMemory.record(record, 1);
        if (command == lastArming && !rung) {
            return;
        }
        lastArming = command;
        armed = true;
        armedForSolicited = (command & SOLICITED) != 0;
        int end = armedForSolicited ? solicited : producer;
        if ((end - command & COUNTER) != 0 && (end - command & COUNTER) < COUNTER / 2) {
            raise(); // what the program has not polled yet
        }
    }

    /// Passes rxe's word on that something solicited has come. Called when all that rxe has completed is written.
    boolean solicited() {
        if (innerChannel == null || innerChannel.read(innerEvent) <= 0) {
            return false;
        }
        inner.requestNotification(true);
        solicited = producer + waiting.size();
        if (armed && armedForSolicited) {
            raise();
        }
        return true;
    }

    /// Takes rxe's completions.
    ///
    /// @return whether there were any
    boolean drain(Completion completion, Translator translator) {
        if (inner.begin() == 0) {
            return false;
        }
        while (inner.next(completion)) {
            translator.translate(this, completion);
        }
        inner.end();
        return true;
    }

    void destroy() {
        inner.destroy();
        if (innerChannel != null) {
            innerChannel.close();
        }
        if (channel != null) {
            channel.withdraw(this::equals);
        }
    }

    /// Makes one of the card's completions of one of rxe's.
    @FunctionalInterface
    interface Translator {
        void translate(CardCompletions queue, Completion completion);
    }
}
