// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.card;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.verbs4j.spi.ProviderAddressHandle;
import io.verbs4j.spi.SendQueueOps;
import io.verbs4j.spi.SendRequest;
import io.verbs4j.types.Access;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.Gid;
import io.verbs4j.types.PostResult;
import io.verbs4j.types.ScatterGatherList;
import io.verbs4j.types.SendFlags;
import io.verbs4j.types.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/// Work requests in the program's memory, which the card reads block by block and forwards to rxe. All data is
/// big-endian. Offsets are defined here, independently of the provider.
final class CardSends {
    static final int BLOCK = 64;
    /// Longest work request, in blocks.
    static final int LONGEST = 16;

    private static final int UNIT = 16;
    private static final int COUNTER = 0xffff;
    private static final int KEY_CHANGE = 0x25;
    private static final Map<Integer, Integer> OPCODES =
            Map.of(0x08, 0, 0x09, 1, 0x0a, 2, 0x0b, 3, 0x10, 4, 0x11, 5, 0x12, 6, 0x01, 9);
    private static final int COMPLETES = 8;
    private static final int CHECK_QUEUE_PAIR = 1 << 3;
    private static final int FREE = 1 << 6;
    private static final int ZERO_BASED = 1 << 5;

    private final SendQueueOps inner;
    private final int number;
    private final boolean datagrams;
    private final long buffer;
    private final long record;
    private final int blocks;
    /// Payloads that were inline, at the places of their blocks; a part may reach behind the last one.
    private final MemorySegment copies;
    private final int copiesKey;
    private final Function<AddressVector, ProviderAddressHandle> handles;
    private final Map<AddressVector, ProviderAddressHandle> known = new HashMap<>();
    private final SendRequest request = new SendRequest();
    private final ScatterGatherList list = new ScatterGatherList();
    private int block;
    /// Number behind the last block that a doorbell has announced.
    private int posted;

    /// @param buffer the send queue's buffer
    /// @param copies registered memory for payloads
    /// @param handles creates address handles of rxe
    CardSends(
            SendQueueOps inner,
            int number,
            boolean datagrams,
            long buffer,
            long record,
            int blocks,
            MemorySegment copies,
            int copiesKey,
            Function<AddressVector, ProviderAddressHandle> handles) {
        this.inner = inner;
        this.number = number;
        this.datagrams = datagrams;
        this.buffer = buffer;
        this.record = record;
        this.blocks = blocks;
        this.copies = copies;
        this.copiesKey = copiesKey;
        this.handles = handles;
    }

    /// Address handles that were made for its datagrams.
    Iterable<ProviderAddressHandle> handles() {
        return known.values();
    }

    /// Starts anew, as in RESET.
    void reset() {
        block = 0;
        posted = 0;
    }

    /// Records how far the program has posted. Later work requests wait for their own doorbell, because receives posted
    /// before that doorbell must be there first.
    void look() {
        posted = CardMemory.record(record, 1) & COUNTER;
    }

    /// Returns whether all that doorbells have announced is handed on.
    boolean isDone() {
        return (block & COUNTER) == posted;
    }

    /// Forwards the work requests that the program has posted up to its doorbell.
    ///
    /// @return whether there were any
    /// @throws IllegalArgumentException if a work request is invalid
    boolean step() {
        if (isDone()) {
            return false;
        }
        inner.begin();
        boolean some = false;
        try {
            while (!isDone()) {
                MemorySegment bytes = workRequest();
                if (post(bytes) != PostResult.POSTED) {
                    break;
                }
                block += (int) (bytes.byteSize() + BLOCK - 1) / BLOCK;
                some = true;
            }
        } finally {
            if (inner.publish() > 0) {
                inner.doorbell();
            }
        }
        return some;
    }

    /// Skips the work request that [#step] failed at.
    ///
    /// @return its first word, and the number of its first block
    int[] skip() {
        MemorySegment bytes = workRequest();
        int[] skipped = {bytes.get(CardMemory.INT, 0), block};
        block += (int) (bytes.byteSize() + BLOCK - 1) / BLOCK;
        return skipped;
    }

    private MemorySegment workRequest() {
        MemorySegment ring = CardMemory.at(buffer, (long) blocks * BLOCK);
        long at = (long) (block & blocks - 1) * BLOCK;
        if ((ring.get(CardMemory.INT, at) >>> 8 & COUNTER) != (block & COUNTER)
                || ring.get(CardMemory.INT, at + 4) >>> 8 != number) {
            throw new IllegalStateException("block " + block + " of queue pair " + number + " bears 0x"
                    + Long.toHexString(ring.get(CardMemory.LONG, at)));
        }
        var copy = new byte[UNIT * (ring.get(CardMemory.INT, at + 4) & 0x3f)];
        for (int i = 0; i < copy.length; i++) {
            copy[i] = ring.get(JAVA_BYTE, (at + i) % ring.byteSize());
        }
        return MemorySegment.ofArray(copy);
    }

    private int post(MemorySegment bytes) {
        int head = bytes.get(CardMemory.INT, 0);
        int operation = head & 0xff;
        int bits = bytes.get(JAVA_BYTE, 11);
        request.workRequestId((long) (bits & COMPLETES) << 24 | (long) operation << 16 | block & COUNTER);
        request.flags(SendFlags.SIGNALED
                | ((bits & 2) != 0 ? SendFlags.SOLICITED : 0)
                | ((bits & 0xe0) == 0x80 ? SendFlags.FENCE : 0));
        int data = bytes.get(CardMemory.INT, 12);
        if (operation == KEY_CHANGE) {
            return change(bytes, data);
        }
        Integer opcode = OPCODES.get(operation);
        if (opcode == null) {
            throw new IllegalArgumentException("operation 0x" + Integer.toHexString(operation));
        }
        int carried = opcode == 1 || opcode == 3 || opcode == 9 ? data : 0;
        if (datagrams) {
            request.to(handles(bytes), bytes.get(CardMemory.INT, 24) & 0xffffff, bytes.get(CardMemory.INT, 16));
            request.operation(opcode).immediateDataOrKey(carried);
            return payload(bytes, 64);
        }
        if (opcode == WorkRequestOpcode.COMPARE_AND_SWAP || opcode == WorkRequestOpcode.FETCH_AND_ADD) {
            boolean swap = opcode == WorkRequestOpcode.COMPARE_AND_SWAP;
            request.operation(opcode)
                    .remote(bytes.get(CardMemory.LONG, 16), bytes.get(CardMemory.INT, 24))
                    .operands(bytes.get(CardMemory.LONG, swap ? 40 : 32), swap ? bytes.get(CardMemory.LONG, 32) : 0);
            return inner.post(
                    request, bytes.get(CardMemory.LONG, 56), Long.BYTES, bytes.get(CardMemory.INT, 52));
        }
        if (opcode == 2 || opcode == 3 || opcode == 9) {
            request.operation(opcode).immediateDataOrKey(carried);
            return payload(bytes, 16);
        }
        request.operation(opcode)
                .immediateDataOrKey(carried)
                .remote(bytes.get(CardMemory.LONG, 16), bytes.get(CardMemory.INT, 24));
        return payload(bytes, 32);
    }

    private int payload(MemorySegment bytes, long from) {
        list.clear();
        for (long at = from; at < bytes.byteSize(); at += UNIT) {
            int length = bytes.get(CardMemory.INT, at);
            if (length < 0) {
                long place = (long) (block & blocks - 1) * BLOCK;
                int size = length & Integer.MAX_VALUE;
                MemorySegment.copy(bytes, at + 4, copies, place, size);
                list.add(copies.address() + place, size, copiesKey);
                break;
            }
            list.add(bytes.get(CardMemory.LONG, at + 8), length, bytes.get(CardMemory.INT, at + 4));
        }
        return inner.post(request, list);
    }

    private ProviderAddressHandle handles(MemorySegment bytes) {
        int path = bytes.get(CardMemory.INT, 44);
        var vector = new AddressVector(
                new Gid(bytes.get(CardMemory.LONG, 48), bytes.get(CardMemory.LONG, 56)),
                path >>> 20 & 0xff,
                path & 0xfffff,
                bytes.get(JAVA_BYTE, 43) & 0xff,
                bytes.get(JAVA_BYTE, 42) & 0xff,
                0,
                1,
                0);
        return known.computeIfAbsent(vector, handles);
    }

    /// Binds a window, or invalidates a key: what is to be checked decides which.
    private int change(MemorySegment bytes, int key) {
        int marks = bytes.get(JAVA_BYTE, 16);
        boolean range = (bytes.get(JAVA_BYTE, 64) & FREE) == 0;
        if ((marks & CHECK_QUEUE_PAIR) != 0) {
            request.operation(WorkRequestOpcode.LOCAL_INVALIDATE).immediateDataOrKey(key);
            return inner.post(request);
        }
        int newKey = key & ~0xff | bytes.get(CardMemory.INT, 68) & 0xff;
        if (!range) {
            request.operation(WorkRequestOpcode.BIND_MEMORY_WINDOW)
                    .immediateDataOrKey(key)
                    .window(newKey, 0, 0, 0)
                    .access(0);
            return inner.post(request);
        }
        if (bytes.byteSize() < 144) {
            throw new IllegalArgumentException("a window without memory");
        }
        long address = bytes.get(CardMemory.LONG, 136);
        boolean zeroBased = bytes.get(CardMemory.LONG, 80) == 0 && address != 0;
        int rights = bytes.get(JAVA_BYTE, 66);
        int access = (zeroBased ? ZERO_BASED : 0)
                | ((rights & 1 << 3) != 0 ? Access.LOCAL_WRITE.value() : 0)
                | ((rights & 1 << 4) != 0 ? Access.REMOTE_READ.value() : 0)
                | ((rights & 1 << 5) != 0 ? Access.REMOTE_WRITE.value() : 0)
                | ((rights & 1 << 6) != 0 ? Access.REMOTE_ATOMIC.value() : 0);
        request.operation(WorkRequestOpcode.BIND_MEMORY_WINDOW)
                .immediateDataOrKey(key)
                .window(newKey, bytes.get(CardMemory.INT, 132), address, bytes.get(CardMemory.LONG, 88))
                .access(access);
        return inner.post(request);
    }
}
