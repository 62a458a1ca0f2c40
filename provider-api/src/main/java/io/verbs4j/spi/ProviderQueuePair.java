// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

import io.verbs4j.types.Gid;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairCapabilities;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.RingReading;
import org.jspecify.annotations.Nullable;

/// A queue pair: its rings and its commands.
public abstract class ProviderQueuePair {
    /// For providers.
    protected ProviderQueuePair() {}

    /// The kernel's handle.
    public abstract int handle();

    /// The queue pair number, 24 bits.
    public abstract int number();

    /// What it can hold, as the rings say.
    public abstract QueuePairCapabilities capabilities();

    /// The send ring.
    public abstract SendQueueOps sendOps();

    /// The receive ring, or null with a shared receive queue.
    public abstract @Nullable ReceiveQueueOps receiveOps();

    /// Looks at the send ring without touching it: from any thread, also while others post. The caller sees to it that the
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

    /// Returns whether a send that the device has not taken, or one of the open batch, names an address handle which the device
    /// looks up when it sends. Most devices get the path with each datagram, and have nothing to do here. The caller holds the
    /// lock of the send ring, if it has one, and sees to it that the queue pair is not destroyed.
    public boolean names(ProviderAddressHandle handle) {
        return false;
    }

    /// Changes attributes. The caller holds the locks of both rings if the state goes to RESET, which empties them and
    /// clears their memory: an open batch would be lost.
    public abstract void modify(QueuePairAttributes attributes);

    /// Takes note of a state that the kernel has moved the queue pair to by itself. Of use where [#query] does not report it.
    public void noteState(QueuePairState now) {}

    /// Asks the kernel for the attributes in `mask`; a kernel may report more.
    public abstract QueuePairAttributes query(int mask);

    /// Completes receives that were posted to a queue pair in ERR with a flush error. Most devices do that of
    /// themselves, and have nothing to do here. Does nothing to a queue pair in another state; the caller lets nobody
    /// change the state meanwhile.
    public void flushReceives() {}

    /// Joins a multicast group (UD).
    public abstract void attachMulticast(Gid group, int lid);

    /// Leaves a multicast group.
    public abstract void detachMulticast(Gid group, int lid);

    /// Destroys the queue pair and unmaps its rings.
    ///
    /// @return how many asynchronous events the kernel has handed out for it
    public abstract int destroy();
}
