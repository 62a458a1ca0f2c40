// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

/// Counts what has arrived, what is read, and what the peer may be offered again: a ring of two halves, and a queue of messages. Arithmetic alone;
/// the caller has the lock.
final class ReceiveWindow {
    private static final int MODULUS = 0xffff;

    private final int ringBytes;
    private final int half;
    private final int[] messages;
    private int head;
    private int count;
    private int headTaken;
    private int arriveAt;
    private int offered;
    private int waiting;
    private int readAt;
    private int freed;
    private int freedAt;
    private int consumed;
    private int nextUpdate;

    /// The first half is offered, the second is not yet.
    ///
    /// @param ringBytes even
    /// @param queue messages that the peer may send before any is read
    ReceiveWindow(int ringBytes, int queue) {
        this.ringBytes = ringBytes;
        this.half = ringBytes / 2;
        this.messages = new int[queue];
        this.offered = half;
        this.freed = half;
        this.freedAt = half;
        this.nextUpdate = queue / 2;
    }

    /// Notes a message of data.
    ///
    /// @throws io.verbs4j.types.VerbsException if the peer had no right to send it
    void arrived(int bytes) {
        if (count == messages.length) {
            throw StreamFailures.protocol("it sends more messages than it has credits for");
        }
        if (bytes < 1 || bytes > offered || arriveAt % half + bytes > half) {
            throw StreamFailures.protocol(
                    "it says it wrote " + bytes + " bytes, and " + Math.min(offered, half - arriveAt % half)
                            + " were free");
        }
        messages[(head + count) % messages.length] = bytes;
        count++;
        offered -= bytes;
        waiting += bytes;
        arriveAt = (arriveAt + bytes) % ringBytes;
    }

    /// Returns how many bytes wait to be read.
    int waiting() {
        return waiting;
    }

    /// Returns how many of them can be read in one piece.
    int readable() {
        return Math.min(waiting, ringBytes - readAt);
    }

    /// Returns where in the ring they are.
    int readAt() {
        return readAt;
    }

    /// Notes bytes as read.
    ///
    /// @param bytes at most what [#readable()] returned
    void read(int bytes) {
        readAt = (readAt + bytes) % ringBytes;
        waiting -= bytes;
        freed += bytes;
        headTaken += bytes;
        while (count > 0 && headTaken >= messages[head]) {
            headTaken -= messages[head];
            head = (head + 1) % messages.length;
            count--;
            consumed = (consumed + 1) & MODULUS;
        }
    }

    /// Returns whether the peer should learn what it may send.
    boolean isUpdateDue() {
        return offersHalf() || (short) (consumed - nextUpdate) >= 0;
    }

    /// Returns whether half of the ring can be offered.
    boolean offersHalf() {
        return freed >= half;
    }

    /// Returns where in the ring that half begins.
    int freedAt() {
        return freedAt;
    }

    /// Returns how long it is.
    int half() {
        return half;
    }

    /// Returns how many messages the peer may send in all, modulo 2^16.
    int limit() {
        return (consumed + messages.length) & MODULUS;
    }

    /// Notes that the peer has been sent the limit, and the half if one was to be offered.
    void updated() {
        nextUpdate = (consumed + messages.length / 2) & MODULUS;
        if (offersHalf()) {
            freed -= half;
            offered += half;
            freedAt = (freedAt + half) % ringBytes;
        }
    }
}
