// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import java.time.Duration;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Runs something in another thread, with a limit on how long anyone waits for it.
public enum InThread {
    /// A thread of the operating system.
    PLATFORM,
    /// A virtual thread.
    VIRTUAL;

    /// Something that runs.
    public static final class Started<T> {
        private final Thread thread;
        private final FutureTask<T> task;

        private Started(Thread thread, FutureTask<T> task) {
            this.thread = thread;
            this.task = task;
        }

        /// Returns whether it has ended.
        public boolean isDone() {
            return task.isDone();
        }

        /// Returns whether it sleeps, or waits for a lock or another thread. Of a thread of the operating system only.
        public boolean isWaiting() {
            Thread.State state = thread.getState();
            return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING
                    || state == Thread.State.BLOCKED;
        }

        /// Interrupts it.
        public void interrupt() {
            thread.interrupt();
        }

        /// Waits for its result.
        public T result() throws Exception {
            return result(Eventually.LIMIT.plusSeconds(1));
        }

        /// Waits for its result.
        public T result(Duration limit) throws Exception {
            try {
                return task.get(limit.toMillis(), TimeUnit.MILLISECONDS);
            } catch (ExecutionException e) {
                throw e.getCause() instanceof Exception cause ? cause : e;
            } catch (TimeoutException e) {
                var hangs = new AssertionError(thread + " does not end");
                hangs.setStackTrace(thread.getStackTrace());
                throw hangs;
            }
        }

        /// Waits for the exception that it must end with.
        public Throwable failure() {
            try {
                return new AssertionError("ended without exception: " + result());
            } catch (Exception e) {
                return e;
            }
        }
    }

    /// Starts it.
    public <T> Started<T> start(Callable<T> work) {
        var task = new FutureTask<>(work);
        var builder = this == VIRTUAL ? Thread.ofVirtual() : Thread.ofPlatform().daemon();
        return new Started<>(builder.start(task), task);
    }

    /// Waits for the other threads at a barrier.
    public static void await(CyclicBarrier barrier) {
        try {
            barrier.await(Eventually.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new AssertionError("the others did not come", e);
        }
    }

    /// Runs it and waits for its end.
    public void run(Runnable work, Duration limit) throws Exception {
        start(Executors.callable(work)).result(limit);
    }

    /// Runs it and waits for its result.
    public <T> T get(Callable<T> work) throws Exception {
        return start(work).result();
    }
}
