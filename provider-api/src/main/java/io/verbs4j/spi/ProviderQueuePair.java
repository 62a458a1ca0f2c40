// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.datagram.AttachMulticast;
import io.verbs4j.abi.datagram.DetachMulticast;
import io.verbs4j.abi.queuepair.CreateQueuePair;
import io.verbs4j.abi.queuepair.ModifyQueuePair;
import io.verbs4j.abi.queuepair.QueryQueuePair;
import io.verbs4j.types.Gid;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairCapabilities;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.RingReading;
import org.jspecify.annotations.Nullable;

/// A queue pair: its rings and its commands. This class implements the commands of the kernel's core. A provider
/// implements the rings, and its driver's additions to a command.
public abstract class ProviderQueuePair {
    private final CommandChannel channel;
    private final CreateQueuePair.Response created;

    /// Called by providers.
    ///
    /// @param created the kernel's response
    protected ProviderQueuePair(CommandChannel channel, CreateQueuePair.Response created) {
        this.channel = channel;
        this.created = created;
    }

    /// Returns the kernel's handle.
    public final int handle() {
        return created.handle();
    }

    /// Returns the queue pair number, 24 bits.
    public final int number() {
        return created.number();
    }

    /// Returns the capacities of the rings. With some drivers, the kernel's response to the creation contains the
    /// requested capacities instead.
    public final QueuePairCapabilities capabilities() {
        SendQueueOps sends = sendOps();
        ReceiveQueueOps receives = receiveOps();
        return new QueuePairCapabilities(
                sends.capacity(),
                receives == null ? 0 : receives.capacity(),
                sends.maxScatterGather(),
                receives == null ? 0 : receives.maxScatterGather(),
                sends.maxInlineData());
    }

    /// Returns the send ring.
    public abstract SendQueueOps sendOps();

    /// Returns the receive ring, or null with a shared receive queue.
    public abstract @Nullable ReceiveQueueOps receiveOps();

    /// Returns a racy snapshot of the send ring. Any thread may call this method while others post. The caller ensures
    /// that the queue pair is not destroyed during the call.
    ///
    /// @return null if the device does not expose its ring
    public @Nullable RingReading readSendRing() {
        return null;
    }

    /// Returns a racy snapshot of the receive ring, as [#readSendRing()] does of the send ring.
    ///
    /// @return null if the device does not expose its ring, or the receives come from a shared receive queue
    public @Nullable RingReading readReceiveRing() {
        return null;
    }

    /// Returns whether an outstanding send, or a send of the open batch, uses the address handle. A provider overrides
    /// this method if its device looks up the handle when the device sends. Other devices get the path with each
    /// datagram. The caller holds the lock of the send ring, if any, and ensures that the queue pair is not destroyed
    /// during the call.
    public boolean names(ProviderAddressHandle handle) {
        return false;
    }

    /// Returns whether an outstanding send binds a memory window. A provider overrides this method if its device needs
    /// bound windows to be closed before their queue pair. The caller ensures that the queue pair is not destroyed
    /// during the call. Returns false by default.
    ///
    /// @param rkey the window's key; its lowest 8 bits are ignored
    public boolean binds(int rkey) {
        return false;
    }

    /// Returns whether a reset requires that no thread polls the completion queues. A provider requires this if
    /// completions of the device contain slot numbers: after the reset, a waiting completion would match a slot of new
    /// work. Returns false by default.
    public boolean resetExcludesPolls() {
        return false;
    }

    /// Changes attributes. If the new state is RESET, the caller holds the locks of both rings, because the transition
    /// empties the rings and clears their memory. If [#resetExcludesPolls()] is true, the caller also holds the locks
    /// of both completion queues, until they have [forgotten][ProviderCompletionQueue#forget] the queue pair.
    public void modify(QueuePairAttributes attributes) {
        ModifyQueuePair.execute(channel, handle(), attributes);
    }

    /// Records a state that the kernel has set without a call of [#modify]. A provider needs this if [#query] does not
    /// report the state. Does nothing by default.
    public void noteState(QueuePairState now) {}

    /// Queries the attributes in `mask`. The kernel may return more attributes.
    public QueuePairAttributes query(int mask) {
        return QueryQueuePair.execute(channel, handle(), mask);
    }

    /// Completes receives with a flush error if they were posted in ERR, or while the queue pair entered ERR. Does
    /// nothing in other states. By default, does nothing in any state, because most devices flush such receives
    /// themselves. The caller prevents changes of the state during the call.
    public void flushReceives() {}

    /// Joins a multicast group (UD).
    public void attachMulticast(Gid group, int lid) {
        AttachMulticast.execute(channel, handle(), group, lid);
    }

    /// Leaves a multicast group.
    public void detachMulticast(Gid group, int lid) {
        DetachMulticast.execute(channel, handle(), group, lid);
    }

    /// Destroys the queue pair and unmaps its rings.
    ///
    /// @return the number of asynchronous events that the kernel has reported for the queue pair
    public abstract int destroy();
}
