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

/// A queue pair: its rings and its commands. The commands of the kernel's core are here; a provider implements the
/// rings, and its driver's additions to a command.
public abstract class ProviderQueuePair {
    private final CommandChannel channel;
    private final CreateQueuePair.Response created;

    /// For providers.
    ///
    /// @param created the kernel's answer
    protected ProviderQueuePair(CommandChannel channel, CreateQueuePair.Response created) {
        this.channel = channel;
        this.created = created;
    }

    /// The kernel's handle.
    public final int handle() {
        return created.handle();
    }

    /// The queue pair number, 24 bits.
    public final int number() {
        return created.number();
    }

    /// Returns its capacities, from the rings: a kernel may report the requested ones instead, as rxe on 6.1 does.
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

    /// The send ring.
    public abstract SendQueueOps sendOps();

    /// The receive ring, or null with a shared receive queue.
    public abstract @Nullable ReceiveQueueOps receiveOps();

    /// Returns a racy snapshot of the send ring, from any thread, also while others post. The caller ensures that the
    /// queue pair is not destroyed meanwhile.
    ///
    /// @return null if the device does not let itself be looked at
    public @Nullable RingReading readSendRing() {
        return null;
    }

    /// Looks at the receive ring as [#readSendRing()] does.
    ///
    /// @return null with a shared receive queue, too
    public @Nullable RingReading readReceiveRing() {
        return null;
    }

    /// Returns whether an outstanding send, or one of the open batch, names an address handle that the device looks up
    /// when it sends. Most devices get the path with each datagram, and return false. The caller holds the lock of the
    /// send ring, if any, and ensures that the queue pair is not destroyed.
    public boolean names(ProviderAddressHandle handle) {
        return false;
    }

    /// Changes attributes. The caller holds the locks of both rings if the state goes to RESET, which empties them and
    /// clears their memory: an open batch would be lost.
    public void modify(QueuePairAttributes attributes) {
        ModifyQueuePair.execute(channel, handle(), attributes);
    }

    /// Records a state that the kernel itself has set, for devices whose [#query] does not report it.
    public void noteState(QueuePairState now) {}

    /// Asks the kernel for the attributes in `mask`; a kernel may report more.
    public QueuePairAttributes query(int mask) {
        return QueryQueuePair.execute(channel, handle(), mask);
    }

    /// Completes receives that were posted to a queue pair in ERR, or while it entered ERR, with a flush error. Most
    /// devices do that themselves. Does nothing in other states; the caller prevents changes of the state meanwhile.
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
    /// @return how many asynchronous events the kernel has handed out for it
    public abstract int destroy();
}
