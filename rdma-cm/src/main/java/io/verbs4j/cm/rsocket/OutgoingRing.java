// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.rsocket;

import io.verbs4j.QueuePair;
import io.verbs4j.SendBatch;
import io.verbs4j.types.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The sending half of a stream: a ring of bytes under way, the peer's half rings as it offers them, and its credits. Guarded by the
/// socket's lock.
final class OutgoingRing {
    /// Data messages that may be under way.
    static final int DATA_SLOTS = 252;

    private static final int LARGEST_MESSAGE = 1 << 16;
    private static final int CREDIT_MASK = 0xffff;
    /// In the work request id of control messages; that of data is their number of bytes.
    private static final long CONTROL = 1L << 32;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final QueuePair pair;
    private final StreamMemory memory;
    private final StreamOffer peer;
    private final MemorySegment ring;
    private final MemorySegment table;
    /// What is left of the peer's two half rings.
    private final long[] address = new long[StreamOffer.ENTRIES];
    private final int[] key = new int[StreamOffer.ENTRIES];
    private final int[] left = new int[StreamOffer.ENTRIES];
    private int current;
    /// The entry that the peer fills next; the first was in its offer.
    private int nextOffered = 1;
    private int limit;
    private int sent;
    private int head;
    private int used;
    private int dataUnderWay;
    private int controlUnderWay;
    private int nextControlSlot;

    OutgoingRing(QueuePair pair, StreamMemory memory, StreamOffer peer) {
        this.pair = pair;
        this.memory = memory;
        this.peer = peer;
        this.ring = memory.local().segment();
        this.table = memory.table();
        this.limit = peer.credits();
        address[0] = peer.ringAddress();
        key[0] = peer.ringKey();
        left[0] = peer.ringBytes();
    }

    /// Returns how many bytes one message can take now; 0 if the peer or the ring has no room.
    private int room() {
        if (dataUnderWay == DATA_SLOTS || sent == limit) {
            return 0;
        }
        int contiguous = Math.min(memory.sendBytes() - used, memory.sendBytes() - head);
        return (int) Math.min(Integer.toUnsignedLong(left[current]), Math.min(contiguous, LARGEST_MESSAGE));
    }

    /// Sends what finds room.
    ///
    /// @return the number of bytes that were taken
    long write(MemorySegment source, long offset, long bytes) {
        long done = 0;
        for (int room = room(); room > 0 && done < bytes; room = room()) {
            int size = (int) Math.min(room, bytes - done);
            MemorySegment.copy(source, offset + done, ring, head, size);
            try (SendBatch batch = pair.beginSend()) {
                batch.signaled().workRequestId(size);
                batch.post(
                        WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE,
                        memory.local().address() + head,
                        size,
                        memory.local().localKey(),
                        address[current],
                        key[current],
                        StreamMessage.of(StreamMessage.DATA, size));
                batch.submit();
            }
            done += size;
            sent = (sent + 1) & CREDIT_MASK;
            dataUnderWay++;
            used += size;
            head = (head + size) % memory.sendBytes();
            address[current] += size;
            left[current] -= size;
            if (left[current] == 0) {
                current ^= 1;
            }
        }
        return done;
    }

    /// Offers a half of the receive ring, and a new credit limit.
    ///
    /// @param half -1 for credits alone
    void credit(int creditLimit, int half) {
        int message = StreamMessage.of(StreamMessage.CREDIT, creditLimit & CREDIT_MASK);
        if (half < 0) {
            control(message, 0, 0);
            return;
        }
        long slot = (long) memory.sendBytes() + (long) nextControlSlot * StreamMemory.ENTRY_BYTES;
        ByteOrder order = peer.bigEndian() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        ring.set(LONG.withOrder(order), slot, memory.halfAddress(half));
        ring.set(INT.withOrder(order), slot + Long.BYTES, memory.remoteKey());
        ring.set(INT.withOrder(order), slot + Long.BYTES + Integer.BYTES, memory.halfBytes());
        control(message, StreamMemory.ENTRY_BYTES, peer.tableAddress() + (long) half * StreamMemory.ENTRY_BYTES);
    }

    /// Sends a control message without data.
    ///
    /// @param value [StreamMessage#SHUTDOWN] or [StreamMessage#DISCONNECT]
    void control(int value) {
        control(StreamMessage.of(StreamMessage.CONTROL, value), 0, 0);
    }

    private void control(int message, int bytes, long remoteAddress) {
        long slot = (long) memory.sendBytes() + (long) nextControlSlot * StreamMemory.ENTRY_BYTES;
        try (SendBatch batch = pair.beginSend()) {
            batch.signaled().workRequestId(CONTROL);
            batch.post(
                    WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE,
                    memory.local().address() + slot,
                    bytes,
                    memory.local().localKey(),
                    remoteAddress,
                    peer.tableKey(),
                    message);
            batch.submit();
        }
        controlUnderWay++;
        nextControlSlot = (nextControlSlot + 1) % StreamMemory.CONTROL_SLOTS;
    }

    /// Returns true if a control message may be sent: the peer keeps no more receives for them.
    boolean mayControl() {
        return controlUnderWay < StreamMemory.CONTROL_SLOTS;
    }

    /// Returns true if all that was sent has arrived.
    boolean isIdle() {
        return dataUnderWay == 0 && controlUnderWay == 0;
    }

    /// Notes that a message has arrived.
    void completed(long workRequestId) {
        if (workRequestId == CONTROL) {
            controlUnderWay--;
        } else {
            dataUnderWay--;
            used -= (int) workRequestId;
        }
    }

    /// Takes a credit message.
    ///
    /// @param withHalf true if the peer has written a half ring into the table
    void credited(int creditLimit, boolean withHalf) {
        limit = creditLimit & CREDIT_MASK;
        if (withHalf) {
            long entry = (long) nextOffered * StreamMemory.ENTRY_BYTES;
            address[nextOffered] = table.get(LONG, entry);
            key[nextOffered] = table.get(INT, entry + Long.BYTES);
            left[nextOffered] = table.get(INT, entry + Long.BYTES + Integer.BYTES);
            nextOffered ^= 1;
        }
    }
}
