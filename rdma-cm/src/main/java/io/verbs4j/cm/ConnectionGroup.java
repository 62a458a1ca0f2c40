// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.abi.failure.Rollback;
import java.lang.System.Logger.Level;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A set of connections that share resources. Connections that this end makes share one channel of the connection
/// manager. All connections over a device share an open context and a protection domain. A connection of a group has
/// one file descriptor, its completion channel. One daemon thread dispatches the completion events
/// ([RdmaConnection#onCompletionEvent]), except those of connections in a [CompletionWatch] of the program. On a
/// simulated device, each connection has a virtual thread instead, and no file descriptor.
///
/// The first connection that needs a resource opens the resource, and the last connection closes it. Thread-safe. Close
/// the group after its connections.
public final class ConnectionGroup implements AutoCloseable {
    private final ReentrantLock lock = new ReentrantLock();
    private final SharedDomains domains = new SharedDomains(false); // guarded by the lock
    private @Nullable EventChannel channel; // guarded by the lock
    private int channelUsers; // guarded by the lock
    private boolean closed; // guarded by the lock

    private ConnectionGroup() {}

    /// Returns a group without open resources.
    public static ConnectionGroup create() {
        return new ConnectionGroup();
    }

    /// Returns the channel for the connections' events, and adds a user.
    EventChannel joinChannel() {
        lock.lock();
        try {
            requireOpen();
            EventChannel known = channel;
            if (known == null) {
                try (var rollback = new Rollback()) {
                    known = rollback.make(EventChannel::open, EventChannel::close);
                    EventPump.startShared(known, this::on);
                    rollback.keep();
                }
                channel = known;
            }
            channelUsers++;
            return known;
        } finally {
            lock.unlock();
        }
    }

    /// Removes a user of the channel.
    void leaveChannel() {
        EventChannel last = null;
        lock.lock();
        try {
            channelUsers--;
            if (channelUsers == 0) {
                last = channel;
                channel = null;
            }
        } finally {
            lock.unlock();
        }
        if (last != null) {
            last.close();
        }
    }

    private void on(CmEvent event) {
        ConnectionEvents.dispatch(event);
        if (event instanceof CmEvent.DeviceRemoved) {
            Log.LOGGER.log(Level.WARNING, "a device was removed: {0}", event);
            forgetDevices();
        }
    }

    /// Removes the devices from the group, so that the next connections open their devices again.
    void forgetDevices() {
        lock.lock();
        try {
            domains.clear();
        } finally {
            lock.unlock();
        }
    }

    /// Returns the domain of an identifier's device, and adds a user.
    SharedDomain domain(Identifier identifier) {
        lock.lock();
        try {
            requireOpen();
            return domains.join(identifier);
        } finally {
            lock.unlock();
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the connection group is closed");
        }
    }

    /// Rejects further connections, and ends the connections that this end has made. A thread that connects gets an
    /// [IllegalStateException]. Accepted connections continue. Idempotent.
    @Override
    public void close() {
        EventChannel last;
        lock.lock();
        try {
            closed = true;
            domains.clear();
            last = channel;
            channel = null;
        } finally {
            lock.unlock();
        }
        if (last != null) {
            last.close();
        }
    }
}
