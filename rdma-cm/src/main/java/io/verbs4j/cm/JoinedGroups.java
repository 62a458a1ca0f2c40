// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.QueuePair;
import io.verbs4j.abi.failure.Closing;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/// The multicast groups of a port. Thread-safe.
///
/// A queue pair is in a group once, even if the port has joined the group several times. Therefore the queue pair
/// leaves the group only with the last membership that receives.
final class JoinedGroups {
    private final DatagramPort port;
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<MulticastGroup> groups = new HashSet<>(); // guarded by the lock
    private boolean closed; // guarded by the lock

    JoinedGroups(DatagramPort port) {
        this.port = port;
    }

    /// Adds a group, and attaches the queue pair if the group receives.
    ///
    /// @throws IllegalStateException if the port is closed
    void add(MulticastGroup group) {
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException(port + " is closed");
            }
            if (group.receives()) {
                port.queuePair().attachMulticast(group.gid());
            }
            groups.add(group);
        } finally {
            lock.unlock();
        }
    }

    /// Removes a group, and detaches the queue pair if no other membership receives the group.
    void remove(MulticastGroup group) {
        lock.lock();
        try {
            groups.remove(group);
            QueuePair queuePair = port.queuePair();
            if (group.receives() && !isReceived(group) && !queuePair.isClosed()) {
                queuePair.detachMulticast(group.gid());
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean isReceived(MulticastGroup group) {
        return groups.stream().anyMatch(other -> other.receives() && other.gid().equals(group.gid()));
    }

    /// Closes all groups, and refuses further ones.
    void close() {
        Closing.all(end().stream().map(group -> (Runnable) group::close).toList());
    }

    private List<MulticastGroup> end() {
        lock.lock();
        try {
            closed = true;
            return List.copyOf(groups);
        } finally {
            lock.unlock();
        }
    }
}
