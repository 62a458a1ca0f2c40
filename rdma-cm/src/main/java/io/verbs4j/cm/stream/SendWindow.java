// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

/// Computes how many bytes this end may send, and their addresses at both ends. Tracks the peer's ring segments, the
/// credits, the send slots, and the bytes in flight in this end's ring. This class only computes; the caller holds the
/// protocol's monitor.
final class SendWindow {
    private static final int MODULUS = 0xffff;

    /// Minimum room in this end's ring for sending a message, as in librdmacm.
    private static final int MIN_ROOM = 2048;

    /// A report is due when the messages since the last report use a quarter of the ring or of the slots.
    private static final int REPORTS = 4;

    private static final int MESSAGES_AT = 32;
    private static final int MESSAGES_MASK = 0xffff;

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
    /// Messages and their bytes since the last report.
    private int unreported;
    private int unreportedBytes;

    /// @param ringBytes size of this end's ring, at least twice [#MIN_ROOM]
    /// @param slots maximum number of messages in flight
    /// @param peer contains the first ring segment and the first credits
    SendWindow(int ringBytes, int slots, Greeting peer) {
        this.ringBytes = ringBytes;
        this.slots = slots;
        this.ringFree = ringBytes;
        this.freeSlots = slots;
        this.limit = peer.credits();
        offer(peer.dataAddress(), peer.dataKey(), peer.dataBytes());
    }

    /// Adds another ring segment of the peer.
    void offer(long address, int key, int length) {
        if (pieces == Greeting.ENTRIES) {
            throw StreamFailures.protocol("it offered a third ring segment while two are not full");
        }
        if (length <= 0) {
            throw StreamFailures.protocol(
                    "it offered a ring segment of " + Integer.toUnsignedString(length) + " bytes");
        }
        int at = (first + pieces) % Greeting.ENTRIES;
        addresses[at] = address;
        keys[at] = key;
        lengths[at] = length;
        pieces++;
    }

    /// Updates the credits: the total number of messages that the peer permits, modulo 2^16.
    void credits(int value) {
        limit = value & MODULUS;
    }

    /// Returns the maximum number of bytes of the next message; 0 if none may be sent now.
    ///
    /// @param wanted at least 0
    int next(int wanted) {
        if (freeSlots == 0 || sent == limit || pieces == 0 || ringFree < Math.min(MIN_ROOM, ringBytes)) {
            return 0;
        }
        return Math.min(Math.min(wanted, room()), lengths[first]);
    }

    private int room() {
        return Math.min(ringFree, ringBytes - ringAt);
    }

    /// Returns the maximum number of bytes of the next direct write; 0 if none may be sent now. A direct write needs no
    /// credit.
    ///
    /// @param wanted at least 1
    int nextDirect(int wanted) {
        return freeSlots == 0 || ringFree < Math.min(MIN_ROOM, ringBytes) ? 0 : Math.min(wanted, room());
    }

    /// Returns whether this end may send a message without data that needs a credit.
    boolean mayAnnounce() {
        return freeSlots > 0 && sent != limit;
    }

    /// Records that a message without data was sent. The message has used a credit.
    void announced() {
        sentDirect(0);
        sent = (sent + 1) & MODULUS;
    }

    /// Records a direct write as sent.
    ///
    /// @param bytes at most what [#nextDirect(int)] returned
    void sentDirect(int bytes) {
        freeSlots--;
        unreported++;
        ringFree -= bytes;
        unreportedBytes += bytes;
        ringAt = (ringAt + bytes) % ringBytes;
    }

    /// Returns whether the last message needs a report because too many messages before it have none. Few messages need
    /// one, because a report wakes the threads that wait for the peer's answer. When all reports have arrived, this
    /// end's ring and slots have room for another message.
    boolean isReportDue() {
        return unreported >= slots / REPORTS || unreportedBytes >= ringBytes / REPORTS;
    }

    /// Returns the messages since the last report, as an argument of [#done], and starts a new count. Messages complete
    /// in order, so the next reported completion also covers these messages.
    ///
    /// @return a number of 48 bits
    long report() {
        long report = (long) unreported << MESSAGES_AT | unreportedBytes;
        unreported = 0;
        unreportedBytes = 0;
        return report;
    }

    /// Returns the position of the next message's bytes in this end's ring.
    int ringAt() {
        return ringAt;
    }

    /// Returns the address in the peer's memory for the next message's bytes.
    long address() {
        return addresses[first];
    }

    /// Returns the rkey for [#address()].
    int key() {
        return keys[first];
    }

    /// Records a message as sent.
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

    /// Records messages as completed.
    ///
    /// @param report the result of [#report()]; higher bits are ignored
    void done(long report) {
        freeSlots += (int) (report >>> MESSAGES_AT) & MESSAGES_MASK;
        ringFree += (int) report;
    }

    /// Returns whether no message is in flight.
    boolean isIdle() {
        return freeSlots == slots;
    }
}
