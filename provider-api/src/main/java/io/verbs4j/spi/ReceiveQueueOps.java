// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

import io.verbs4j.types.PostResult;
import io.verbs4j.types.ScatterGatherList;

/// The producer side of the receive ring of a queue pair or of a shared receive queue. Confined to one thread at a
/// time: the API holds the lock.
///
/// A batch consists of [#begin()], calls of `receive`, and [#publish()] or [#abandon()].
public abstract class ReceiveQueueOps {
    /// Called by providers.
    protected ReceiveQueueOps() {}

    /// Returns the number of receives that the ring can hold.
    public abstract int capacity();

    /// Returns the maximum number of scatter/gather elements of a receive.
    public abstract int maxScatterGather();

    /// Starts a batch after the published elements.
    public abstract void begin();

    /// Writes a receive with one buffer, or none if `length` is 0.
    ///
    /// @return [PostResult#POSTED] or [PostResult#QUEUE_FULL]
    public abstract int receive(long workRequestId, long address, int length, int lkey);

    /// Writes a receive with a list of buffers.
    ///
    /// @return [PostResult#POSTED] or [PostResult#QUEUE_FULL]
    public abstract int receive(long workRequestId, ScatterGatherList list);

    /// Publishes the batch to the device, and rings the doorbell if the receive ring has one.
    ///
    /// @return the number of receives in the batch
    public abstract int publish();

    /// Discards the batch, so that the device ignores it.
    public abstract void abandon();
}
