// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.sharedreceive.ModifySharedReceiveQueue;
import io.verbs4j.abi.sharedreceive.QuerySharedReceiveQueue;
import io.verbs4j.types.RingReading;
import org.jspecify.annotations.Nullable;

/// A shared receive queue: its ring and its commands.
public abstract class ProviderSharedReceiveQueue {
    private final CommandChannel channel;
    private final int handle;

    /// @param handle the kernel's handle
    protected ProviderSharedReceiveQueue(CommandChannel channel, int handle) {
        this.channel = channel;
        this.handle = handle;
    }

    /// Returns the channel of the device.
    protected final CommandChannel channel() {
        return channel;
    }

    /// Returns the kernel's handle.
    public final int handle() {
        return handle;
    }

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
    public void armLimit(int limit) {
        ModifySharedReceiveQueue.execute(channel, handle, ModifySharedReceiveQueue.LIMIT, 0, limit, DriverData.NONE);
    }

    /// Queries the queue's attributes from the kernel.
    public QuerySharedReceiveQueue.Response query() {
        return QuerySharedReceiveQueue.execute(channel, handle);
    }

    /// Destroys the queue and unmaps its ring.
    ///
    /// @return the number of asynchronous events that the kernel has reported for the queue
    public abstract int destroy();
}
