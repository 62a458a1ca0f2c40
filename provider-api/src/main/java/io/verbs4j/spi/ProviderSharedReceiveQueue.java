// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

import io.verbs4j.types.RingReading;
import org.jspecify.annotations.Nullable;

/// A shared receive queue: its ring and its commands.
public abstract class ProviderSharedReceiveQueue {
    /// For providers.
    protected ProviderSharedReceiveQueue() {}

    /// The kernel's handle.
    public abstract int handle();

    /// The device's number for the queue.
    public abstract int number();

    /// The ring. A resize keeps the object.
    public abstract ReceiveQueueOps receiveOps();

    /// Returns a racy snapshot of the ring, from any thread, also while others use the queue. The caller ensures that
    /// the queue is not destroyed meanwhile; it may be resized.
    ///
    /// @return null if the device does not let itself be looked at, or has no ring at this moment
    public @Nullable RingReading readRing() {
        return null;
    }

    /// Changes the ring's size; waiting receives are kept. The caller holds the queue's lock.
    public abstract void resize(int maxWorkRequests);

    /// Arms the limit event: raised once when fewer receives wait.
    public abstract void armLimit(int limit);

    /// Returns the queue's attributes from the kernel.
    public abstract Attributes query();

    /// Destroys the queue and unmaps its ring.
    ///
    /// @return how many asynchronous events the kernel has handed out for it
    public abstract int destroy();

    /// Attributes of a shared receive queue (`struct ibv_srq_attr`).
    ///
    /// @param maxWorkRequests receives that it can hold
    /// @param maxScatterGather scatter/gather elements of each
    /// @param limit the armed limit, 0 for none
    public record Attributes(int maxWorkRequests, int maxScatterGather, int limit) {}
}
