// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.abi.cm.LeaveMulticast;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicBoolean;

/// An identifier's membership in a multicast group, from the start of the join on. Thread-safe.
///
/// The queue pair must be attached to the group's GID by its owner, once [CmEvent.MulticastJoined] has named it.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/rdma_join_multicast.3.html">rdma_join_multicast(3)</a>
public final class Membership implements AutoCloseable {
    private final Identifier identifier;
    private final InetSocketAddress group;
    private final long name;
    private volatile int number = -1;
    private final AtomicBoolean closed = new AtomicBoolean();

    Membership(Identifier identifier, InetSocketAddress group, long name) {
        this.identifier = identifier;
        this.group = group;
        this.name = name;
    }

    void number(int value) {
        number = value;
    }

    long name() {
        return name;
    }

    /// Returns the identifier that joined.
    public Identifier identifier() {
        return identifier;
    }

    /// Returns the group's address.
    public InetSocketAddress group() {
        return group;
    }

    /// Leaves the group. Does nothing if the identifier was closed before, or after the first time.
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        identifier.forget(name);
        identifier.unlessClosed(file -> {
            try {
                LeaveMulticast.execute(file, number);
            } catch (VerbsException e) {
                if (e.errno() != Errno.ENOENT && e.errno() != Errno.EBADF) {
                    throw e;
                }
            }
        });
    }

    @Override
    public String toString() {
        return "membership of " + identifier + " in " + group.getAddress().getHostAddress();
    }
}
