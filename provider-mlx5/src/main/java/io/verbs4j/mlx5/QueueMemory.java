// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Memory of a queue with its doorbell record. The process allocates it; the device reads and writes it while the
/// kernel object exists. Therefore it is kept from [#allocate] to [#release()], even if the queue becomes unreachable.
/// Afterwards it is kept as long as this object is reachable, so that a thread that still polls or posts never accesses
/// foreign memory.
final class QueueMemory {
    /// The kernel requires page-aligned buffers (`mlx5_umem_find_best_quantized_pgoff` accepts less for some).
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

    /// Returns memory without a device.
    static QueueMemory scratch(long bytes) {
        return new QueueMemory(bytes);
    }

    /// Returns the address of the queue.
    long address() {
        return memory.address();
    }

    /// Returns the address of the doorbell record.
    long record() {
        return memory.address() + bytes;
    }

    /// Releases the memory: the device no longer uses it.
    void release() {
        HELD.remove(this);
    }

    /// Returns the number of kept memories, for tests.
    static int held() {
        return HELD.size();
    }
}
