// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.types.Gid;
import java.net.InetAddress;
import java.util.concurrent.atomic.AtomicBoolean;

/// A multicast group that a [DatagramPort] has joined. Thread-safe.
public final class MulticastGroup implements AutoCloseable {
    private final DatagramPort port;
    private final InetAddress address;
    private final Runnable leave;
    private final DatagramDestination destination;
    private final boolean receives;
    private final AtomicBoolean closed = new AtomicBoolean();

    MulticastGroup(
            DatagramPort port,
            InetAddress address,
            Runnable leave,
            DatagramDestination destination,
            boolean receives) {
        this.port = port;
        this.address = address;
        this.leave = leave;
        this.destination = destination;
        this.receives = receives;
    }

    /// Returns the group's IP address.
    public InetAddress address() {
        return address;
    }

    /// Returns the group's GID, which is the destination in the header of the group's datagrams.
    public Gid gid() {
        return destination.handle().path().destinationGid();
    }

    /// Returns the destination of datagrams to the group.
    public DatagramDestination destination() {
        return destination;
    }

    boolean receives() {
        return receives;
    }

    /// Leaves the group, and ends the interface's membership in the IP group. Idempotent.
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            port.groups().remove(this);
        } finally {
            destination.close();
            leave.run();
        }
    }

    @Override
    public String toString() {
        return "group " + address().getHostAddress() + " of " + port;
    }
}
