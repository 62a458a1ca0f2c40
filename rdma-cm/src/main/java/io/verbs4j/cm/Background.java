// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/// Runs tasks that wait, each in a virtual thread of its own.
final class Background {
    private Background() {}

    /// Starts a task. Cancelling the future interrupts the task. If the task returns a result nevertheless, closes the
    /// result.
    static <T extends AutoCloseable> CompletableFuture<T> run(Callable<T> task) {
        var future = new Interruptible<T>();
        Thread thread = Thread.ofVirtual().unstarted(() -> {
            try {
                T result = task.call();
                if (!future.complete(result)) {
                    result.close();
                }
            } catch (Throwable e) {
                future.completeExceptionally(e);
            }
        });
        future.thread = thread;
        thread.start();
        return future;
    }

    private static final class Interruptible<T> extends CompletableFuture<T> {
        private volatile Thread thread = Thread.currentThread();

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean cancelled = super.cancel(mayInterruptIfRunning);
            if (cancelled) {
                thread.interrupt();
            }
            return cancelled;
        }
    }
}
