// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.async;

import io.verbs4j.CompletionHandler;
import io.verbs4j.CompletionQueue;
import io.verbs4j.WorkCompletion;
import io.verbs4j.types.DeviceGoneException;
import io.verbs4j.types.Ranges;
import io.verbs4j.types.VerbsException;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Brings the completions of one queue back to who posted the work. All work that completes on the queue must be posted through scopes of
/// this dispatcher: [AsyncQueuePair#open()].
///
/// [#start] polls in a virtual thread, which sleeps while nothing completes; the queue needs a channel then. [#of] leaves polling to the
/// program, which calls [#poll] in a loop of its own.
///
/// Work that completes allocates nothing, unless it was posted for a future.
public final class Dispatcher implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger("io.verbs4j.async");
    /// Most completions that are taken under the queue's lock.
    private static final int AT_ONCE = 64;
    /// The longest time until a sleeping thread notices that it is to end, should the event that wakes it be lost.
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final long RETRY_NANOS = 100_000_000;

    private final CompletionQueue queue;
    private final Operation[] operations;
    private final IndexStack free;
    private final CompletionHandler handler = this::completed;
    /// Futures to be completed when the queue's lock is free again, for what depends on them runs in this thread.
    private final ConcurrentLinkedQueue<Runnable> afterwards = new ConcurrentLinkedQueue<>();
    private @Nullable Thread thread;
    private volatile boolean closed;
    /// Why the thread has ended before it was closed.
    private volatile @Nullable RuntimeException failure;

    private Dispatcher(CompletionQueue queue, int operations) {
        Ranges.check("operations", operations, 1, 1 << 24);
        this.queue = queue;
        this.operations = new Operation[operations];
        for (int index = 0; index < operations; index++) {
            this.operations[index] = new Operation(index);
        }
        this.free = new IndexStack(operations);
    }

    /// Makes a dispatcher for a program that polls.
    ///
    /// @param operations how many work requests may be under way together, at most the queue's capacity
    public static Dispatcher of(CompletionQueue queue, int operations) {
        Ranges.check("operations", operations, 1, queue.capacity());
        return new Dispatcher(queue, operations);
    }

    /// Makes a dispatcher with a virtual thread of its own.
    ///
    /// @param queue has a channel
    /// @param operations how many work requests may be under way together, at most the queue's capacity
    /// @throws IllegalStateException if the queue has no channel
    public static Dispatcher start(CompletionQueue queue, int operations) {
        if (queue.channel() == null) {
            throw new IllegalStateException(
                    queue + " has no channel: create it with CompletionQueueOptions.withChannel, or poll by Dispatcher.of");
        }
        Dispatcher dispatcher = of(queue, operations);
        dispatcher.thread = Thread.ofVirtual().name("verbs4j dispatcher of " + queue).start(dispatcher::run);
        return dispatcher;
    }

    private void run() {
        while (!closed) {
            try {
                queue.await(AT_ONCE, handler, PATIENCE);
                completeFutures();
            } catch (InterruptedException e) {
                // By close(), or by something that depends on a future and has run here: the loop finds out.
            } catch (DeviceGoneException | IllegalStateException e) {
                if (!closed) {
                    LOGGER.log(System.Logger.Level.WARNING,
                            this + " ends, because its device is gone or its queue was closed first", e);
                    end(e);
                }
                return;
            } catch (VerbsException e) {
                LOGGER.log(System.Logger.Level.WARNING, this + " cannot wait for its queue, and tries again", e);
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }

    /// Ends all work: nothing of it completes any more.
    private void end(RuntimeException cause) {
        failure = cause;
        abandonIf(owner -> true, this + " has ended before the work completed: " + cause.getMessage());
    }

    /// Hands over what has completed, without waiting. For programs that poll; any thread may.
    ///
    /// @return how many work requests
    /// @throws IllegalStateException if the dispatcher has a thread of its own, or the queue is closed
    public int poll() {
        if (thread != null) {
            throw new IllegalStateException(this + " has a thread that polls");
        }
        return pollHere();
    }

    private int pollHere() {
        int count = queue.poll(AT_ONCE, handler);
        completeFutures();
        return count;
    }

    /// Returns whether the program polls.
    boolean isPolledByHand() {
        return thread == null;
    }

    /// Polls for a thread that waits.
    void pause() {
        if (pollHere() == 0) {
            Thread.onSpinWait();
        }
    }

    @SuppressWarnings("ReferenceEquality") // a thread is only itself
    boolean isHere() {
        return Thread.currentThread() == thread;
    }

    /// Takes a place for work that is to be posted, and notes what it uses.
    ///
    /// @throws IllegalStateException if as much work is under way as the dispatcher has room for, or its thread has ended
    Operation begin(WorkScope scope, Slab slab, CompletionHandler completion) {
        RuntimeException cause = failure;
        if (cause != null) {
            throw new IllegalStateException(this + " has ended", cause);
        }
        int index = closed ? IndexStack.NONE : free.pop();
        if (index == IndexStack.NONE) {
            throw new IllegalStateException(closed
                    ? this + " is closed"
                    : "operations=" + operations.length + " are all under way in " + this);
        }
        Operation operation = operations[index];
        operation.slab = slab;
        operation.scope = scope;
        operation.handler = completion;
        return operation;
    }

    /// Ends work that was not posted after all.
    void retract(Operation operation, long id) {
        if (operation.end(id)) {
            release(operation, (int) id);
        }
    }

    private void completed(WorkCompletion completion) {
        long id = completion.workRequestId();
        int index = (int) id;
        Operation operation = index >= 0 && index < operations.length ? operations[index] : null;
        if (operation == null || !operation.end(id)) {
            LOGGER.log(System.Logger.Level.WARNING, "nobody waits for {0}: it was not posted through {1}", completion,
                    this);
            return;
        }
        try {
            CompletionHandler handed = operation.handler;
            if (handed != null) {
                handed.completed(completion);
            }
        } catch (RuntimeException e) {
            LOGGER.log(System.Logger.Level.WARNING, "the handler of " + completion + " failed", e);
        } finally {
            release(operation, index);
        }
    }

    /// Gives everything back that work had.
    private void release(Operation operation, int index) {
        Slab slab = operation.slab;
        WorkScope scope = operation.scope;
        operation.slab = null;
        operation.scope = null;
        operation.handler = null;
        free.push(index);
        if (slab != null) {
            slab.unpin();
        }
        if (scope != null) {
            scope.ended();
        }
    }

    /// Ends work that was posted while the thread ended.
    void endIfFailed() {
        RuntimeException cause = failure;
        if (cause != null) {
            end(cause);
        }
    }

    /// Ends the work of a queue pair that is destroyed: the device does none of it any more, and none of it completes.
    void abandon(AsyncQueuePair owner) {
        abandonIf(each -> each == owner, owner + " was closed before its work completed");
    }

    private void abandonIf(Predicate<AsyncQueuePair> owned, String reason) {
        for (int index = 0; index < operations.length; index++) {
            Operation operation = operations[index];
            long id = operation.id();
            WorkScope scope = operation.scope;
            if (id != 0 && scope != null && owned.test(scope.owner()) && operation.end(id)) {
                if (operation.handler instanceof FutureCompletion future) {
                    future.abandon(reason);
                }
                release(operation, index);
            }
        }
        completeFutures();
    }

    /// Runs a task in the polling thread, after it has released the queue.
    void afterwards(Runnable task) {
        afterwards.add(task);
    }

    private void completeFutures() {
        for (Runnable task = afterwards.poll(); task != null; task = afterwards.poll()) {
            task.run();
        }
    }

    /// Returns the queue whose completions it takes.
    public CompletionQueue queue() {
        return queue;
    }

    /// Returns how many work requests are under way now.
    public int underWay() {
        int count = 0;
        for (Operation operation : operations) {
            count += operation.id() == 0 ? 0 : 1;
        }
        return count;
    }

    /// Ends the thread. The queue stays open. Any number of times.
    ///
    /// @throws IllegalStateException if work is under way: close its [AsyncQueuePair] first
    @Override
    public void close() {
        int left = underWay();
        if (left > 0) {
            throw new IllegalStateException(
                    left + " work requests are under way in " + this + ": close their queue pairs first");
        }
        closed = true;
        Thread running = thread;
        if (running != null && !isHere()) {
            running.interrupt();
            boolean interrupted = false;
            while (running.isAlive()) {
                try {
                    running.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public String toString() {
        return "dispatcher of " + queue;
    }
}
