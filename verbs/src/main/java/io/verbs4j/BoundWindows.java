// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.abi.device.Pauses;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.VerbsException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/// The type 2 memory windows that were bound through a queue pair.
///
/// The windows are closed before the queue pair, because in the driver a bound window may hold a reference to its queue
/// pair. Destroying the queue pair first can then take long, and leave windows that point at freed memory
/// (docs/rxe-quirks/window-outlives-queue-pair.md).
final class BoundWindows {
    /// The longest wait of a close for outstanding binds.
    private static final long BIND_TIMEOUT_NANOS = 1_000_000_000;
    private static final long PAUSE_NANOS = 100_000;

    private final QueuePair queuePair;
    private final Set<MemoryWindow> windows = ConcurrentHashMap.newKeySet();
    /// Created with the queue pair, since a close must not need heap.
    private final Consumer<MemoryWindow> leaving;

    BoundWindows(QueuePair queuePair) {
        this.queuePair = queuePair;
        this.leaving = window -> window.binderClosed(queuePair);
    }

    void add(MemoryWindow window) {
        windows.add(window);
        if (window.isClosed()) { // by another thread, which may have checked before
            windows.remove(window);
        }
    }

    void remove(MemoryWindow window) {
        windows.remove(window);
    }

    /// Closes the windows, except those that are now bound through another queue pair.
    void close() {
        long start = System.nanoTime();
        for (MemoryWindow window : windows) {
            if (!worksElsewhere(window, start)) {
                window.close();
            }
        }
    }

    /// Called before a reset of the queue pair. Afterwards, the state no longer shows whether a bind has failed.
    void reset() {
        for (MemoryWindow window : windows) {
            window.binderReset(queuePair);
        }
    }

    /// Called after the queue pair is closed, so that the windows that stay open do not keep it reachable.
    void leave() {
        windows.forEach(leaving);
        windows.clear();
    }

    /// Returns whether the window is now bound through another queue pair. Such a bind succeeds only if the window was
    /// invalidated through this queue pair before. Otherwise, the bind has moved the other queue pair to ERR. If the
    /// other queue pair's bind is still outstanding after the timeout, the window counts as bound through this queue
    /// pair.
    ///
    /// @param start the beginning of the timeout, by `System.nanoTime()`
    private boolean worksElsewhere(MemoryWindow window, long start) {
        QueuePair last = window.lastBinder();
        if (last == null || last.equals(queuePair)) {
            return false;
        }
        try {
            return isExecuted(last, window, start) && last.query().state() != QueuePairState.ERR;
        } catch (IllegalStateException | VerbsException closed) {
            return false;
        }
    }

    /// Waits until a queue pair has no outstanding bind of the window.
    private static boolean isExecuted(QueuePair binder, MemoryWindow window, long start) {
        try (var pauses = new Pauses()) {
            while (binder.binds(window)) {
                if (System.nanoTime() - start > BIND_TIMEOUT_NANOS) {
                    return false;
                }
                pauses.pause(PAUSE_NANOS);
            }
            return true;
        }
    }
}
