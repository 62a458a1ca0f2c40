// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.rsocket;

import java.lang.foreign.MemorySegment;

/// The receiving half of a stream: bytes that the peer has written, the messages that they came in, and what is to be offered again.
/// Guarded by the socket's lock.
final class IncomingRing {
    private final MemorySegment ring;
    private final int bytes;
    private final int half;
    private final int credits;
    /// Bytes of each message that the program has not read to its end, oldest first.
    private final int[] messages;
    private int firstMessage;
    private int messageCount;
    private long received;
    private long consumed;
    private long halvesReturned;
    private int consumedMessages;
    private int announcedMessages;

    /// @param ring the whole ring, of which both halves are offered
    IncomingRing(MemorySegment ring, int credits) {
        this.ring = ring;
        this.bytes = (int) ring.byteSize();
        this.half = bytes / 2;
        this.credits = credits;
        this.messages = new int[credits];
    }

    /// Takes a data message.
    ///
    /// @return false if the peer had neither room nor credit for it
    boolean received(int size) {
        long offered = bytes + halvesReturned * half;
        if (messageCount == credits || received + size > offered) {
            return false;
        }
        messages[(firstMessage + messageCount) % credits] = size;
        messageCount++;
        received += size;
        return true;
    }

    int available() {
        return (int) (received - consumed);
    }

    /// Copies what is there.
    ///
    /// @return the number of bytes; 0 if none is there
    int read(MemorySegment target, long offset, long most) {
        int size = (int) Math.min(most, available());
        for (int done = 0; done < size;) {
            int from = (int) (consumed % bytes);
            int part = Math.min(size - done, bytes - from);
            MemorySegment.copy(ring, from, target, offset + done, part);
            done += part;
            consumed += part;
        }
        finishMessages(size);
        return size;
    }

    private void finishMessages(int size) {
        int rest = size;
        while (messageCount > 0 && messages[firstMessage] <= rest) {
            rest -= messages[firstMessage];
            firstMessage = (firstMessage + 1) % credits;
            messageCount--;
            consumedMessages++;
        }
        if (rest > 0) {
            messages[firstMessage] -= rest;
        }
    }

    /// Returns the half of the ring that can be offered again; -1 if none can.
    int freeHalf() {
        return consumed - halvesReturned * half >= half ? (int) (halvesReturned % 2) : -1;
    }

    /// Returns true if the peer should hear of new room or new credits.
    boolean isCreditDue() {
        return freeHalf() >= 0 || consumedMessages - announcedMessages >= credits / 2;
    }

    /// Returns the new limit of data messages, and notes that the peer hears of it.
    ///
    /// @param withHalf true if it is offered the free half as well
    int announce(boolean withHalf) {
        announcedMessages = consumedMessages;
        if (withHalf) {
            halvesReturned++;
        }
        return consumedMessages + credits;
    }
}
