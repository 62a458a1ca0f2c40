// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.disni;

import java.lang.foreign.MemorySegment;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentHashMap;

/// The direct buffers whose addresses DiSNI has requested. DiSNI registers only addresses and drops the buffers, so the
/// garbage collector might free registered memory. A registration that finds its buffer here keeps the buffer alive.
///
/// Thread-safe.
public final class Buffers {
    private static final ConcurrentHashMap<Long, Reference> BY_ADDRESS = new ConcurrentHashMap<>();
    private static final ReferenceQueue<ByteBuffer> GONE = new ReferenceQueue<>();

    private static final class Reference extends WeakReference<ByteBuffer> {
        private final long address;

        Reference(long address, ByteBuffer buffer) {
            super(buffer, GONE);
            this.address = address;
        }
    }

    private Buffers() {}

    /// Returns the address of a direct buffer's first byte.
    ///
    /// @throws ClassCastException if the buffer is on the heap, as in DiSNI
    public static long address(ByteBuffer buffer) {
        if (!buffer.isDirect()) {
            throw new ClassCastException("only direct buffers have an address, but this one is on the heap: " + buffer);
        }
        long address = segment(buffer).address();
        for (var gone = (Reference) GONE.poll(); gone != null; gone = (Reference) GONE.poll()) {
            BY_ADDRESS.remove(gone.address, gone);
        }
        BY_ADDRESS.put(address, new Reference(address, buffer));
        return address;
    }

    private static MemorySegment segment(ByteBuffer buffer) {
        return MemorySegment.ofBuffer(buffer.duplicate().clear());
    }

    /// Returns memory at an address. If the memory belongs to a known buffer, the returned segment keeps the buffer
    /// alive.
    static MemorySegment memory(long address, int bytes) {
        Reference reference = BY_ADDRESS.get(address);
        ByteBuffer buffer = reference == null ? null : reference.get();
        return buffer == null || buffer.capacity() < bytes
                ? Structs.memory(address, bytes)
                : segment(buffer).asSlice(0, bytes);
    }
}
