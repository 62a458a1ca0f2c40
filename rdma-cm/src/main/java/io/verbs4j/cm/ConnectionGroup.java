// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.Device;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A set of connections that share what they can, so that each needs no descriptor of its own: one channel of the connection manager for those
/// that connect, and for each device an open context, a protection domain and a completion channel, whose events one daemon thread
/// hands out ([RdmaConnection#onCompletionEvent]).
///
/// Everything is opened with the first connection that needs it, and closed with the last. Thread-safe. Close it after its connections.
public final class ConnectionGroup implements AutoCloseable {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, SharedDomain> domains = new HashMap<>(); // guarded by the lock
    private @Nullable EventChannel channel; // guarded by the lock
    private int channelUsers; // guarded by the lock
    private boolean closed; // guarded by the lock

    private ConnectionGroup() {}

    /// Returns a group in which nothing is open yet.
    public static ConnectionGroup create() {
        return new ConnectionGroup();
    }

    /// Returns the channel that brings the events of the connections, for one user more.
    EventChannel joinChannel(ConnectionOptions options) {
        lock.lock();
        try {
            requireOpen();
            EventChannel known = channel;
            if (known == null) {
                known = options.openChannel();
                channel = known;
                EventPump.start(known, this::on);
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

    /// Lets the next connections open their devices anew.
    void forgetDevices() {
        lock.lock();
        try {
            domains.clear();
        } finally {
            lock.unlock();
        }
    }

    /// Returns the domain of a device, for one user more.
    SharedDomain domain(Device device) {
        lock.lock();
        try {
            requireOpen();
            String key = device.name() + " " + device.index();
            SharedDomain known = domains.get(key);
            if (known == null || !known.join()) {
                known = SharedDomain.open(device);
                domains.put(key, known);
            }
            return known;
        } finally {
            lock.unlock();
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the group of connections is closed");
        }
    }

    /// Refuses further connections, and ends those that it has made. Idempotent.
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
