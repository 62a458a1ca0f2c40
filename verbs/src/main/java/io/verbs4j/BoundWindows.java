// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.VerbsException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The type 2 memory windows that were bound through a queue pair.
///
/// A bound window holds its queue pair in rxe: a queue pair that is destroyed before its windows waits for them 50 seconds and
/// is then freed all the same, so that the window points at freed memory (`rxe_destroy_qp`, rxe_verbs.c; `__rxe_cleanup`,
/// rxe_pool.c). So the windows go first.
final class BoundWindows {
    private final QueuePair queuePair;
    private final Set<MemoryWindow> windows = ConcurrentHashMap.newKeySet();

    BoundWindows(QueuePair queuePair) {
        this.queuePair = queuePair;
    }

    void add(MemoryWindow window) {
        windows.add(window);
        if (window.isClosed()) { // by another thread, which may have looked before
            windows.remove(window);
        }
    }

    void remove(MemoryWindow window) {
        windows.remove(window);
    }

    /// Closes the windows, but for those that work through another queue pair by now.
    void close() {
        for (MemoryWindow window : windows) {
            if (!worksElsewhere(window)) {
                window.close();
            }
        }
    }

    /// A bind through another queue pair works only for a window that was invalidated here. If it was not, the bind has ended
    /// the other queue pair.
    private boolean worksElsewhere(MemoryWindow window) {
        QueuePair last = window.lastBinder();
        if (last == null || last.equals(queuePair)) {
            return false;
        }
        try {
            return last.query().state() != QueuePairState.ERR;
        } catch (IllegalStateException | VerbsException closed) {
            return false;
        }
    }
}
