// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Memory of a queue, with its doorbell record behind it: of this process, read and written by the device while the kernel
/// object exists. It is held from [#allocate] to [#release()] whoever forgets the queue, since the device goes on; and beyond
/// that for as long as anybody has this object, so that a thread that still polls or posts can never meet memory of others.
final class QueueMemory {
    /// The kernel wants page-aligned buffers (`mlx5_umem_find_best_quantized_pgoff` takes less for some).
    private static final long PAGE = 4096;

    /// A doorbell record has a cache line of its own.
    private static final long RECORD = 64;

    private static final Set<QueueMemory> HELD = ConcurrentHashMap.newKeySet();

    private final MemorySegment memory;
    private final long bytes;

    private QueueMemory(long bytes) {
        this.bytes = bytes + RECORD - 1 & -RECORD;
        this.memory = Arena.ofAuto().allocate(this.bytes + RECORD + PAGE - 1 & -PAGE, PAGE);
    }

    /// Allocates memory, all zero, for the device.
    static QueueMemory allocate(long bytes) {
        var memory = new QueueMemory(bytes);
        HELD.add(memory);
        return memory;
    }

    /// Memory that no device sees.
    static QueueMemory scratch(long bytes) {
        return new QueueMemory(bytes);
    }

    /// Address of the queue.
    long address() {
        return memory.address();
    }

    /// Address of the doorbell record.
    long record() {
        return memory.address() + bytes;
    }

    /// The device does not use it any more.
    void release() {
        HELD.remove(this);
    }

    /// Returns the number held, for tests.
    static int held() {
        return HELD.size();
    }
}
