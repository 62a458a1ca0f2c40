// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

/// Counts bytes that have arrived, bytes that were read, and the room to offer to the peer again. The receive ring has
/// two halves, and the number of messages is limited. This class only computes; the caller holds the
/// protocol's monitor.
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

    /// Initially, the first half is offered, and the second is not.
    ///
    /// @param ringBytes even
    /// @param queue maximum number of unread messages
    ReceiveWindow(int ringBytes, int queue) {
        this.ringBytes = ringBytes;
        this.half = ringBytes / 2;
        this.messages = new int[queue];
        this.offered = half;
        this.freed = half;
        this.freedAt = half;
        this.nextUpdate = queue / 2;
    }

    /// Records the arrival of a data message.
    ///
    /// @throws io.verbs4j.types.VerbsException if the peer had no credit or no room for the message
    void arrived(int bytes) {
        if (count == messages.length) {
            throw StreamFailures.protocol("it sent more messages than its credits permit");
        }
        if (bytes < 1 || bytes > offered || arriveAt % half + bytes > half) {
            throw StreamFailures.protocol(
                    "it reported " + bytes + " written bytes, but " + Math.min(offered, half - arriveAt % half)
                            + " were free");
        }
        messages[(head + count) % messages.length] = bytes;
        count++;
        offered -= bytes;
        waiting += bytes;
        arriveAt = (arriveAt + bytes) % ringBytes;
    }

    /// Returns the number of unread bytes.
    int waiting() {
        return waiting;
    }

    /// Returns how many unread bytes are contiguous in the ring.
    int readable() {
        return Math.min(waiting, ringBytes - readAt);
    }

    /// Returns the position of the unread bytes in the ring.
    int readAt() {
        return readAt;
    }

    /// Records bytes as read.
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

    /// Records that a message without data has used a credit. This end does not keep such a message.
    void announced() {
        consumed = (consumed + 1) & MODULUS;
    }

    /// Returns whether new credits or a half of the ring should be sent to the peer.
    boolean isUpdateDue() {
        return offersHalf() || (short) (consumed - nextUpdate) >= 0;
    }

    /// Returns whether a half of the ring can be offered.
    boolean offersHalf() {
        return freed >= half;
    }

    /// Returns the position in the ring of the half to offer.
    int freedAt() {
        return freedAt;
    }

    /// Returns the length of a half.
    int half() {
        return half;
    }

    /// Returns the total number of messages that the peer may send, modulo 2^16.
    int limit() {
        return (consumed + messages.length) & MODULUS;
    }

    /// Records that this end has sent the limit to the peer, and the half if one could be offered.
    void updated() {
        nextUpdate = (consumed + messages.length / 2) & MODULUS;
        if (offersHalf()) {
            freed -= half;
            offered += half;
            freedAt = (freedAt + half) % ringBytes;
        }
    }
}
