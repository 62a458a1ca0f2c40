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

    /// For providers.
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

    /// Returns the capacities of its rings. A kernel may report the requested ones instead, as rxe on 6.1 does.
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

    /// Returns a racy snapshot of the send ring. Any thread may call this while others post. The caller ensures that
    /// the queue pair is not destroyed meanwhile.
    ///
    /// @return null if the device does not expose its ring
    public @Nullable RingReading readSendRing() {
        return null;
    }

    /// Returns a racy snapshot of the receive ring, as [#readSendRing()] does of the send ring.
    ///
    /// @return null with a shared receive queue, too
    public @Nullable RingReading readReceiveRing() {
        return null;
    }

    /// Returns whether an outstanding send, or a send of the open batch, uses an address handle. For devices that look
    /// the handle up when they send. Most devices get the path with each datagram, and return false. The caller holds
    /// the lock of the send ring, if any, and ensures that the queue pair is not destroyed.
    public boolean names(ProviderAddressHandle handle) {
        return false;
    }

    /// Changes attributes. If the state goes to RESET, the caller holds the locks of both rings. The transition empties
    /// them and clears their memory, so an open batch would be lost.
    public void modify(QueuePairAttributes attributes) {
        ModifyQueuePair.execute(channel, handle(), attributes);
    }

    /// Records a state that the kernel itself has set, for devices whose [#query] does not report it.
    public void noteState(QueuePairState now) {}

    /// Queries the attributes in `mask`. A kernel may return more.
    public QueuePairAttributes query(int mask) {
        return QueryQueuePair.execute(channel, handle(), mask);
    }

    /// Completes receives with a flush error if they were posted to a queue pair in ERR, or while it entered ERR. Most
    /// devices do so themselves. Does nothing in other states; the caller prevents changes of the state meanwhile.
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
    /// @return the number of asynchronous events that the kernel has reported for it
    public abstract int destroy();
}
