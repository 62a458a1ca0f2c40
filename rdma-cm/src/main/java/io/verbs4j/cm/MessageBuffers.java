// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.MemoryRegion;
import io.verbs4j.QueuePair;
import io.verbs4j.abi.failure.Closing;
import io.verbs4j.types.Access;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// The memory of messages in slots of equal length: first the receive slots, then the send slots. Not thread-safe.
///
/// A header of 8 bytes in network byte order precedes the program's bytes. Its first 4 bytes are `v4j` and the kind of
/// the message. Its last 4 bytes are the number of credits that the message announces. Plain messages have no header.
final class MessageBuffers {
    /// The kind of a program's message.
    static final int MESSAGE = 0x76346a01;
    /// The kind of an empty message that announces credits.
    static final int CREDITS = 0x76346a02;
    /// Marks the identifiers of receives. The lower half of an identifier is the slot.
    static final long RECEIVE = 1L << 61;
    /// Marks the identifiers of sends of the program's messages.
    static final long SEND = 1L << 62;
    /// Marks the identifiers of sends that only announce credits.
    static final long ANNOUNCEMENT = SEND | RECEIVE;
    /// Number of sends reserved for messages that only announce credits.
    static final int SPARE_SENDS = 2;

    private static final int HEADER = 8;
    private static final int CREDITS_AT = 4;
    /// Alignment of slots, so that neighbours share no cache line.
    private static final int ALIGNMENT = 64;
    private static final ValueLayout.OfInt NUMBER = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final QueuePair queuePair;
    private final int receives;
    private final int bytes;
    private final int header;
    private final long stride;
    private final MemoryRegion memory;
    private final MemorySegment segment;
    /// The segments that [#content] returned last, by slot.
    private final @Nullable MemorySegment[] contents;
    private final int[] freeSends;
    private int free;

    /// Allocates the memory and posts all receives.
    MessageBuffers(QueuePair queuePair, MessageTerms terms, boolean plain) {
        int sends = plain ? terms.count() : terms.count() + SPARE_SENDS;
        this.queuePair = queuePair;
        this.receives = plain ? terms.count() : terms.count() + MessageCredits.SPARE;
        this.bytes = terms.bytes();
        this.header = plain ? 0 : HEADER;
        this.stride = (header + bytes + ALIGNMENT - 1L) / ALIGNMENT * ALIGNMENT;
        this.memory = queuePair.protectionDomain().allocate((receives + sends) * stride, Access.LOCAL_WRITE);
        this.segment = memory.segment();
        this.contents = new MemorySegment[receives + sends];
        this.freeSends = new int[sends];
        for (int slot = receives + sends; slot > receives; slot--) {
            freeSends[free++] = slot - 1;
        }
        try {
            for (int slot = 0; slot < receives; slot++) {
                receive(slot);
            }
        } catch (RuntimeException | Error e) {
            queuePair.close(); // otherwise the device could still use the memory
            memory.close();
            throw e;
        }
    }

    int receives() {
        return receives;
    }

    /// Returns the maximum length of a message.
    int bytes() {
        return bytes;
    }

    boolean isPlain() {
        return header == 0;
    }

    /// Returns the memory of the program's bytes in a slot. Allocates only if the slot's last message had another
    /// length.
    MemorySegment content(int slot, long length) {
        MemorySegment content = contents[slot];
        if (content == null || content.byteSize() != length) {
            content = segment.asSlice(slot * stride + header, length);
            contents[slot] = content;
        }
        return content;
    }

    /// Copies a message to a slot.
    void write(int slot, byte[] message) {
        MemorySegment.copy(message, 0, segment, ValueLayout.JAVA_BYTE, slot * stride + header, message.length);
    }

    /// Copies a message from a slot.
    byte[] read(int slot, int length) {
        byte[] message = new byte[length];
        MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, slot * stride + header, message, 0, length);
        return message;
    }

    /// Returns the length of the program's bytes.
    ///
    /// @param received number of received bytes; if this is less than the header, the result is negative
    int contentLength(int received) {
        return received - header;
    }

    /// Returns the kind of a received message.
    int kind(int slot) {
        return isPlain() ? MESSAGE : segment.get(NUMBER, slot * stride);
    }

    /// Returns the credits that a received message announces.
    int credits(int slot) {
        return isPlain() ? 0 : segment.get(NUMBER, slot * stride + CREDITS_AT);
    }

    /// Posts a receive.
    ///
    /// @throws IllegalStateException if the receive queue is full, or the queue pair is closed
    void receive(int slot) {
        try (var batch = queuePair.beginReceive()) {
            if (!batch.workRequestId(RECEIVE | slot).receive(memory, slot * stride, header + bytes)) {
                throw new IllegalStateException(
                        "the receive queue of " + queuePair + " is full: its messages need " + receives
                                + " receives for themselves");
            }
            batch.submit();
        }
    }

    /// Takes a send slot. A send slot must be free.
    int takeSend() {
        return freeSends[--free];
    }

    void giveSend(int slot) {
        freeSends[free++] = slot;
    }

    /// Returns the number of send slots.
    int sends() {
        return freeSends.length;
    }

    /// Returns whether a send slot is free for a message of the program.
    boolean hasRoom() {
        return free > (isPlain() ? 0 : SPARE_SENDS);
    }

    /// Returns whether a send slot is free for an announcement of credits.
    boolean hasRoomForAnnouncement() {
        return free > 0;
    }

    /// Posts a send. If this throws, nothing was posted.
    ///
    /// @return null if the doorbell succeeded. Otherwise the doorbell's failure; the send is in the ring, and the
    ///     device will process it
    /// @throws IllegalStateException if the send queue is full, or the queue pair is closed
    @Nullable
    RuntimeException send(int slot, int kind, int credits, int length) {
        if (!isPlain()) {
            segment.set(NUMBER, slot * stride, kind);
            segment.set(NUMBER, slot * stride + CREDITS_AT, credits);
        }
        try (var batch = queuePair.beginSend()) {
            long mark = kind == MESSAGE ? SEND : ANNOUNCEMENT;
            if (!batch.send()
                    .local(memory, slot * stride, header + length)
                    .signaled()
                    .workRequestId(mark | slot)
                    .post()) {
                throw new IllegalStateException(
                        "the send queue of " + queuePair + " is full of the program's own work requests");
            }
            try {
                batch.submit();
            } catch (RuntimeException e) {
                return e;
            }
        }
        return null;
    }

    /// Closes the queue pair, so that the device no longer uses the memory, and frees the memory.
    void close() {
        Closing.all(queuePair::close, memory::close);
    }
}
