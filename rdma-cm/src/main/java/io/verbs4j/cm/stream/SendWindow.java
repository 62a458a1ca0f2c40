// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

/// Counts what may be sent, and from where to where: pieces of the peer's ring, credits, send slots, and a ring of our own for the bytes that are
/// under way. Arithmetic alone; the caller has the lock.
final class SendWindow {
    private static final int MODULUS = 0xffff;

    /// Room in our ring that is worth a message, as in C.
    private static final int WORTH = 2048;

    private final int ringBytes;
    private final int slots;
    private final long[] addresses = new long[Greeting.ENTRIES];
    private final int[] keys = new int[Greeting.ENTRIES];
    private final int[] lengths = new int[Greeting.ENTRIES];
    private int first;
    private int pieces;
    private int ringAt;
    private int ringFree;
    private int freeSlots;
    private int sent;
    private int limit;

    /// @param ringBytes bytes of our ring
    /// @param slots messages that may be under way
    /// @param peer with the first piece of ring, and the first credits
    SendWindow(int ringBytes, int slots, Greeting peer) {
        this.ringBytes = ringBytes;
        this.slots = slots;
        this.ringFree = ringBytes;
        this.freeSlots = slots;
        this.limit = peer.credits();
        offer(peer.dataAddress(), peer.dataKey(), peer.dataBytes());
    }

    /// Takes a further piece of ring.
    void offer(long address, int key, int length) {
        if (pieces == Greeting.ENTRIES) {
            throw StreamFailures.protocol("it offers a third piece of ring while two are not full");
        }
        if (length <= 0) {
            throw StreamFailures.protocol(
                    "it offers " + Integer.toUnsignedString(length) + " bytes of ring");
        }
        int at = (first + pieces) % Greeting.ENTRIES;
        addresses[at] = address;
        keys[at] = key;
        lengths[at] = length;
        pieces++;
    }

    /// Takes the peer's credits: messages in all, modulo 2^16.
    void credits(int value) {
        limit = value & MODULUS;
    }

    /// Returns how many bytes the next message may have; 0 if none may be sent now.
    ///
    /// @param wanted at least 1
    int next(int wanted) {
        if (freeSlots == 0 || sent == limit || pieces == 0 || ringFree < Math.min(WORTH, ringBytes)) {
            return 0;
        }
        return Math.min(Math.min(wanted, room()), lengths[first]);
    }

    private int room() {
        return Math.min(ringFree, ringBytes - ringAt);
    }

    /// Returns how many bytes the next direct write may have; 0 if none may be sent now. It needs no credit.
    ///
    /// @param wanted at least 1
    int nextDirect(int wanted) {
        return freeSlots == 0 || ringFree < Math.min(WORTH, ringBytes) ? 0 : Math.min(wanted, room());
    }

    /// Returns whether a message that is no data but needs a credit may be sent.
    boolean mayAnnounce() {
        return freeSlots > 0 && sent != limit;
    }

    /// Notes such a message as sent; it takes no bytes.
    void announced() {
        freeSlots--;
        sent = (sent + 1) & MODULUS;
    }

    /// Notes a direct write as sent.
    ///
    /// @param bytes at most what [#nextDirect(int)] returned
    void sentDirect(int bytes) {
        freeSlots--;
        ringFree -= bytes;
        ringAt = (ringAt + bytes) % ringBytes;
    }

    /// Returns where in our ring the next message's bytes go.
    int ringAt() {
        return ringAt;
    }

    /// Returns where in the peer's memory they go.
    long address() {
        return addresses[first];
    }

    /// Returns the key there.
    int key() {
        return keys[first];
    }

    /// Notes a message as sent.
    ///
    /// @param bytes at most what [#next(int)] returned
    void sent(int bytes) {
        sentDirect(bytes);
        sent = (sent + 1) & MODULUS;
        addresses[first] += bytes;
        lengths[first] -= bytes;
        if (lengths[first] == 0) {
            first = (first + 1) % Greeting.ENTRIES;
            pieces--;
        }
    }

    /// Notes a message as done; they are done in order.
    void done(int bytes) {
        freeSlots++;
        ringFree += bytes;
    }

    /// Returns whether nothing is under way.
    boolean isIdle() {
        return freeSlots == slots;
    }
}
