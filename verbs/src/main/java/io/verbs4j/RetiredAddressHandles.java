// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.spi.ProviderAddressHandle;
import io.verbs4j.types.VerbsException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The closed address handles of a protection domain that are still in use by sends that the device has not taken.
///
/// A driver may look a handle up when it sends the datagram, after the doorbell has returned. A missing handle then
/// moves the queue pair to ERR (docs/rxe-quirks.md). Therefore a closed handle is returned to the kernel only when no
/// send uses it any more.
///
/// The rings show which sends use a handle. Posting therefore has nothing to record, and a close waits for no batch.
/// The remaining handles are checked again whenever a handle is created or closed, or a datagram queue pair is closed.
/// At the latest, they are destroyed with the domain.
///
/// A thread that has just closed a queue pair may still check the handles while another thread closes the domain. The
/// monitor of this object therefore also guards the destruction of handles.
final class RetiredAddressHandles {
    private final Set<QueuePair> senders = ConcurrentHashMap.newKeySet();
    private final Deque<ProviderAddressHandle> waiting = new ArrayDeque<>(); // guarded by this

    /// Adds a datagram queue pair of the domain, which may use handles from now on.
    void add(QueuePair sender) {
        senders.add(sender);
    }

    /// Removes a destroyed datagram queue pair, whose sends no longer use handles.
    void remove(QueuePair sender) {
        senders.remove(sender);
        sweep();
    }

    /// Takes a handle that can no longer be posted, and destroys it as soon as no send uses it any more.
    synchronized void retire(ProviderAddressHandle handle) {
        sweep();
        if (isNamed(handle)) {
            waiting.addLast(handle);
        } else {
            handle.destroy();
        }
    }

    /// Destroys the handles that no send uses any more. If the kernel refuses, the handle stays for [#destroyAll()],
    /// which reports it.
    synchronized void sweep() {
        try {
            for (int left = waiting.size(); left > 0; left--) {
                ProviderAddressHandle handle = waiting.removeFirst();
                waiting.addLast(handle); // before the next line, which may throw
                if (!isNamed(handle)) {
                    handle.destroy();
                    waiting.removeLast();
                }
            }
        } catch (VerbsException e) {
            // The handle is still the last one.
        }
    }

    /// Destroys all handles. The domain has no queue pair any more.
    synchronized void destroyAll() {
        while (!waiting.isEmpty()) {
            waiting.getFirst().destroy();
            waiting.removeFirst();
        }
    }

    private boolean isNamed(ProviderAddressHandle handle) {
        for (QueuePair sender : senders) {
            if (sender.mayName(handle)) {
                return true;
            }
        }
        return false;
    }

    /// Returns the number of handles.
    synchronized int count() {
        return waiting.size();
    }
}
