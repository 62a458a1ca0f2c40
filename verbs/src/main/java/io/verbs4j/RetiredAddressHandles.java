// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.spi.ProviderAddressHandle;
import io.verbs4j.types.VerbsException;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/// The address handles of a protection domain that are closed, but that sends still name which the device has not taken.
///
/// rxe looks a handle up when it sends the datagram, not when the datagram is posted (`rxe_get_av`, rxe_av.c): from Linux 6.12
/// on that is later than the doorbell, and a handle that is gone then ends the queue pair. So a closed handle goes back to the
/// kernel only when no send names it any more. Which sends do is in the rings: posting has nothing to note, and a close waits
/// for nobody. What has to stay is looked at again whenever a handle is created or closed or a datagram queue pair is closed,
/// and goes at the latest with the domain.
final class RetiredAddressHandles {
    private final Set<QueuePair> senders = ConcurrentHashMap.newKeySet();
    private final Queue<ProviderAddressHandle> waiting = new ConcurrentLinkedQueue<>();

    /// A datagram queue pair of the domain may name handles from now on.
    void add(QueuePair sender) {
        senders.add(sender);
    }

    /// A datagram queue pair is destroyed, and with it its sends.
    void remove(QueuePair sender) {
        senders.remove(sender);
        sweep();
    }

    /// Gives a handle that can no longer be posted back to the kernel, now or when no send names it any more.
    void retire(ProviderAddressHandle handle) {
        sweep();
        destroyUnlessNamed(handle);
    }

    /// Gives back what no send names any more. What the kernel refuses to take stays for [#destroyAll()], which reports it.
    void sweep() {
        for (int left = waiting.size(); left > 0; left--) {
            ProviderAddressHandle handle = waiting.poll();
            if (handle == null) { // another thread is at it
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

    /// Gives back all. The domain has no queue pair any more.
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

    /// Returns their number.
    int count() {
        return waiting.size();
    }
}
