// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.abi.cm.LeaveMulticast;
import io.verbs4j.abi.os.IpGroupSocket;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// An identifier's membership in a multicast group, from the start of the join. Thread-safe.
///
/// Unless the membership is send-only, the network interface of the identifier's device is a member of the IP group,
/// too, while the membership lasts. Without this, the kernel drops the group's packets over RoCE. After
/// [CmEvent.MulticastJoined] has reported the group's GID, the program must attach the queue pair to that GID
/// ([io.verbs4j.QueuePair#attachMulticast]). [DatagramPort#join(java.net.InetAddress)] does both.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/rdma_join_multicast.3.html">rdma_join_multicast(3)</a>
public final class Membership implements AutoCloseable {
    private final Identifier identifier;
    private final InetSocketAddress group;
    private final long name;
    private final @Nullable IpGroupSocket ipGroup;
    private volatile int number = -1;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final CompletableFuture<CmEvent> outcome = new CompletableFuture<>();

    Membership(Identifier identifier, InetSocketAddress group, long name, @Nullable IpGroupSocket ipGroup) {
        this.identifier = identifier;
        this.group = group;
        this.name = name;
        this.ipGroup = ipGroup;
    }

    void number(int value) {
        number = value;
    }

    long name() {
        return name;
    }

    /// Returns a future that completes with the event that ends the join. The future is cancelled if the membership or
    /// the identifier is closed before.
    CompletableFuture<CmEvent> outcome() {
        return outcome;
    }

    /// Returns the identifier that joined.
    public Identifier identifier() {
        return identifier;
    }

    /// Returns the group's address.
    public InetSocketAddress group() {
        return group;
    }

    /// Removes the interface from the IP group, and ends a wait for the outcome. Idempotent.
    void end() {
        outcome.cancel(false);
        if (ipGroup != null) {
            ipGroup.close();
        }
    }

    /// Leaves the group. Does nothing if the identifier is closed. Idempotent.
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        identifier.forget(this);
        try {
            identifier.aloneUnlessClosed(file -> { // after the join, which sets the number
                try {
                    LeaveMulticast.execute(file, number);
                } catch (VerbsException e) {
                    if (e.errno() != Errno.ENOENT && e.errno() != Errno.EBADF) {
                        throw e;
                    }
                }
            });
        } finally {
            end();
        }
    }

    @Override
    public String toString() {
        return "membership of " + identifier + " in " + group.getAddress().getHostAddress();
    }
}
