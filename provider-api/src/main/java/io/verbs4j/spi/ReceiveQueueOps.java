// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

import io.verbs4j.types.PostResult;
import io.verbs4j.types.ScatterGatherList;

/// The producer side of a receive ring, of a queue pair or shared. One thread at a time; the API has the lock.
///
/// A batch is [#begin()], calls of `receive`, then [#publish()] or [#abandon()].
public abstract class ReceiveQueueOps {
    /// For providers.
    protected ReceiveQueueOps() {}

    /// Receives that the ring can hold.
    public abstract int capacity();

    /// Scatter/gather elements that one receive can hold.
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

    /// Gives the batch to the device, and rings its doorbell where a receive ring has one.
    ///
    /// @return how many receives it had
    public abstract int publish();

    /// Forgets the batch; the device sees nothing of it.
    public abstract void abandon();
}
