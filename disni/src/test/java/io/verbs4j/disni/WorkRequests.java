// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.disni;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A list of work requests in memory, in DiSNI's layout.
final class WorkRequests {
    /// More work requests than the queues of the tests can hold after rounding up.
    static final int MAX_COUNT = 200;

    private final Arena arena;
    private final int localKey;
    private final int size;
    final MemorySegment requests;
    private int count;

    private WorkRequests(Arena arena, int localKey, int size) {
        this.arena = arena;
        this.localKey = localKey;
        this.size = size;
        this.requests = arena.allocate((long) MAX_COUNT * size, 8);
    }

    static WorkRequests sends(Arena arena, int localKey) {
        return new WorkRequests(arena, localKey, Structs.SEND_WR_BYTES);
    }

    static WorkRequests receives(Arena arena, int localKey) {
        return new WorkRequests(arena, localKey, Structs.RECEIVE_WR_BYTES);
    }

    WorkRequests add(long id, int opcode, int flags, int immediate, long... addressesAndLengths) {
        MemorySegment request = requests.asSlice((long) count * size, size);
        if (count > 0) {
            requests.asSlice((count - 1L) * size).set(ValueLayout.JAVA_LONG, Structs.NEXT, request.address());
        }
        count++;
        MemorySegment elements = arena.allocate(Math.max(1, addressesAndLengths.length) * 8L, 8);
        for (int i = 0; i < addressesAndLengths.length / 2; i++) {
            elements.set(ValueLayout.JAVA_LONG, i * 16L, addressesAndLengths[2 * i]);
            elements.set(ValueLayout.JAVA_INT, i * 16L + 8, (int) addressesAndLengths[2 * i + 1]);
            elements.set(ValueLayout.JAVA_INT, i * 16L + 12, localKey);
        }
        request.set(ValueLayout.JAVA_LONG, Structs.WR_ID, id);
        request.set(ValueLayout.JAVA_LONG, Structs.SG_LIST, elements.address());
        request.set(ValueLayout.JAVA_INT, Structs.NUM_SGE, addressesAndLengths.length / 2);
        if (size == Structs.SEND_WR_BYTES) {
            request.set(ValueLayout.JAVA_INT, Structs.OPCODE, opcode);
            request.set(ValueLayout.JAVA_INT, Structs.SEND_FLAGS, flags);
            request.set(ValueLayout.JAVA_INT, Structs.IMMEDIATE, immediate);
        }
        return this;
    }

    WorkRequests remote(long address, int key) {
        MemorySegment request = requests.asSlice((count - 1L) * size, size);
        request.set(ValueLayout.JAVA_LONG, Structs.REMOTE_ADDRESS, address);
        request.set(ValueLayout.JAVA_INT, Structs.REMOTE_KEY, key);
        return this;
    }

    long address() {
        return requests.address();
    }
}
