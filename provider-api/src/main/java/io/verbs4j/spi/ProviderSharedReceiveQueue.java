// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

import io.verbs4j.types.RingReading;
import org.jspecify.annotations.Nullable;

/// A shared receive queue: its ring and its commands.
public abstract class ProviderSharedReceiveQueue {
    /// Called by providers.
    protected ProviderSharedReceiveQueue() {}

    /// Returns the kernel's handle.
    public abstract int handle();

    /// Returns the device's number for the queue.
    public abstract int number();

    /// Returns the ring, always the same object, even after a resize.
    public abstract ReceiveQueueOps receiveOps();

    /// Returns a racy snapshot of the ring. Any thread may call this method while others use the queue. The caller
    /// ensures that the queue is not destroyed during the call, but the queue may be resized.
    ///
    /// @return null if the device does not expose its ring, or currently has no ring
    public @Nullable RingReading readRing() {
        return null;
    }

    /// Changes the ring's capacity. The queue keeps its receives. The caller holds the queue's lock.
    public abstract void resize(int maxWorkRequests);

    /// Arms the limit event, which the device raises once, when the queue contains fewer receives than the limit.
    public abstract void armLimit(int limit);

    /// Queries the queue's attributes from the kernel.
    public abstract Attributes query();

    /// Destroys the queue and unmaps its ring.
    ///
    /// @return the number of asynchronous events that the kernel has reported for the queue
    public abstract int destroy();

    /// Attributes of a shared receive queue (`struct ibv_srq_attr`).
    ///
    /// @param maxWorkRequests receives that the queue can hold
    /// @param maxScatterGather scatter/gather elements of each receive
    /// @param limit the armed limit, 0 for none
    public record Attributes(int maxWorkRequests, int maxScatterGather, int limit) {}
}
