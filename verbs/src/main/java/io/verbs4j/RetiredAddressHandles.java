// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.spi.ProviderAddressHandle;
import io.verbs4j.types.VerbsException;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/// The closed address handles of a protection domain that are still in use by sends that the device has not taken.
///
/// A driver may look a handle up when it sends the datagram, after the doorbell has returned. A missing handle then
/// moves the queue pair to ERR (docs/rxe-quirks.md). Therefore a closed handle is returned to the kernel only when no
/// send uses it any more.
///
/// The rings show which sends use a handle. Posting therefore has nothing to record, and a close waits for no thread.
/// The remaining handles are checked again whenever a handle is created or closed, or a datagram queue pair is closed.
/// At the latest, they are destroyed with the domain.
final class RetiredAddressHandles {
    private final Set<QueuePair> senders = ConcurrentHashMap.newKeySet();
    private final Queue<ProviderAddressHandle> waiting = new ConcurrentLinkedQueue<>();

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
    void retire(ProviderAddressHandle handle) {
        sweep();
        destroyUnlessNamed(handle);
    }

    /// Destroys the handles that no send uses any more. If the kernel refuses, the handle stays for [#destroyAll()],
    /// which reports it.
    void sweep() {
        for (int left = waiting.size(); left > 0; left--) {
            ProviderAddressHandle handle = waiting.poll();
            if (handle == null) { // another thread is checking it
                return;
            }
            try {
                destroyUnlessNamed(handle);
            } catch (VerbsException e) {
                waiting.add(handle);
                return;
            }
        }
    }

    /// Destroys all handles. The domain has no queue pair any more.
    void destroyAll() {
        for (ProviderAddressHandle handle = waiting.peek(); handle != null; handle = waiting.peek()) {
            handle.destroy();
            waiting.remove();
        }
    }

    private void destroyUnlessNamed(ProviderAddressHandle handle) {
        for (QueuePair sender : senders) {
            if (sender.mayName(handle)) {
                waiting.add(handle);
                return;
            }
        }
        handle.destroy();
    }

    /// Returns the number of handles.
    int count() {
        return waiting.size();
    }
}
