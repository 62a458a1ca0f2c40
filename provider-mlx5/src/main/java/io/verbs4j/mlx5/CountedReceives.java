// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import static io.verbs4j.abi.os.RawMemory.ADDRESSES;
import static io.verbs4j.abi.os.RawMemory.ALL;

import io.verbs4j.spi.ReceiveQueueOps;
import org.jspecify.annotations.Nullable;

/// Receives whose count, modulo 2^16, is in a doorbell record.
abstract class CountedReceives extends ReceiveQueueOps {
    private static final int COUNTER = 0xffff;

    final QueueMemory memory;
    final int maxScatterGather;
    private final int capacity;
    /// Receives published to the device since the queue was created or reset.
    int published;
    /// Receives of the open batch.
    int batch;

    private volatile @Nullable String lost;

    CountedReceives(QueueMemory memory, int capacity, int maxScatterGather) {
        this.memory = memory;
        this.capacity = capacity;
        this.maxScatterGather = maxScatterGather;
    }

    @Override
    public final int capacity() {
        return capacity;
    }

    @Override
    public final int maxScatterGather() {
        return maxScatterGather;
    }

    @Override
    public final int publish() {
        requireNotLost();
        int count = batch;
        if (count != 0) {
            published += count;
            batch = 0;
            Segments.INT.setRelease(ALL, memory.record() & ADDRESSES, published & COUNTER);
        }
        return count;
    }

    /// Marks the queue as lost: posts throw from now on.
    void lose(String reason) {
        lost = reason;
    }

    final void requireNotLost() {
        String reason = lost;
        if (reason != null) {
            throw new IllegalStateException(reason);
        }
    }
}
