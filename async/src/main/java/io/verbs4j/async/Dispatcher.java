// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.async;

import io.verbs4j.CompletionHandler;
import io.verbs4j.CompletionQueue;
import io.verbs4j.WorkCompletion;
import io.verbs4j.types.DeviceGoneException;
import io.verbs4j.types.NodeType;
import io.verbs4j.types.Ranges;
import io.verbs4j.types.VerbsException;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Dispatches a queue's completions to the code that posted the work. All work that completes in the queue must be
/// posted through scopes of this dispatcher ([AsyncQueuePair#open()]).
///
/// [#start] polls in a virtual thread, which sleeps until a completion arrives. For this, the queue needs a channel.
/// [#of] is for programs that do the polling, by calling [#poll] in a loop. Polls do not detect that the device was
/// removed. Only waits do: [WorkScope#awaitIdle] and the closes of scopes and queue pairs.
///
/// The dispatcher allocates nothing for work with a handler. Thread-safe.
public final class Dispatcher implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger("io.verbs4j.async");
    /// Maximum number of completions that are taken under the queue's lock.
    private static final int MAX_BATCH = 64;
    /// The timeout of a wait without a limit.
    private static final Duration UNLIMITED = Duration.ofDays(365);
    /// The timeout over iWARP. There, verbs4j itself creates the completions of work that is posted to a failed queue
    /// pair, and these completions raise no event.
    private static final Duration IWARP_TIMEOUT = Duration.ofSeconds(1);
    /// The time after which [#close()] wakes the thread again, in case a wake-up is lost.
    private static final Duration WAKE_UP_INTERVAL = Duration.ofSeconds(1);
    private static final long RETRY_NANOS = 100_000_000;
    private static final long PAUSE_NANOS = 10_000;

    private final CompletionQueue queue;
    private final Operation[] operations;
    private final IndexStack free;
    private final CompletionHandler handler = this::completed;
    /// Futures to complete after the queue's lock is released, because the futures' dependent actions run in this
    /// thread.
    private final ConcurrentLinkedQueue<Runnable> afterwards = new ConcurrentLinkedQueue<>();
    private @Nullable Thread thread;
    /// The reason why no more completions arrive: the device was removed, the queue is closed, or the thread has ended.
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

    /// Creates a dispatcher for a program that polls.
    ///
    /// @param operations maximum number of outstanding work requests, at most the queue's capacity
    public static Dispatcher of(CompletionQueue queue, int operations) {
        Ranges.check("operations", operations, 1, queue.capacity());
        return new Dispatcher(queue, operations);
    }

    /// Creates a dispatcher with its own virtual thread.
    ///
    /// @param queue a queue with a channel
    /// @param operations maximum number of outstanding work requests, at most the queue's capacity
    /// @throws IllegalStateException if the queue has no channel
    public static Dispatcher start(CompletionQueue queue, int operations) {
        if (queue.channel() == null) {
            throw new IllegalStateException(
                    queue + " has no channel: create it with CompletionQueueOptions.withChannel, or poll by"
                            + " Dispatcher.of");
        }
        Dispatcher dispatcher = of(queue, operations);
        dispatcher.thread = Thread.ofVirtual().name("verbs4j dispatcher of " + queue).start(dispatcher::run);
        return dispatcher;
    }

    private void run() {
        boolean iwarp = queue.context().device().nodeType().equals(NodeType.RNIC);
        Duration timeout = iwarp ? IWARP_TIMEOUT : UNLIMITED;
        while (!free.isClosed()) {
            try {
                queue.await(MAX_BATCH, handler, timeout);
                completeFutures();
            } catch (InterruptedException e) {
                // Closed by close(), or by a dependent action of a future that ran here: the loop checks this.
            } catch (DeviceGoneException | IllegalStateException e) {
                if (!free.isClosed()) {
                    LOGGER.log(System.Logger.Level.WARNING,
                            this + " ends, because its device was removed or its queue was closed first", e);
                    end(e);
                }
                return;
            } catch (VerbsException e) {
                LOGGER.log(System.Logger.Level.WARNING, this + " cannot wait for its queue, and retries", e);
                LockSupport.parkNanos(RETRY_NANOS);
            } catch (Throwable e) {
                end(new IllegalStateException(e.toString(), e));
                LOGGER.log(System.Logger.Level.WARNING, this + " ends", e);
                return;
            }
        }
    }

    /// Ends all work, because no more completions arrive.
    private void end(RuntimeException cause) {
        failure = cause;
        abandonIf(owner -> true, this + " has ended before the work completed: " + cause.getMessage());
    }

    /// Handles up to 64 completions, without waiting. For programs that poll; any thread may call this method. If the
    /// queue is closed, the call ends all work.
    ///
    /// @return the number of completed work requests
    /// @throws IllegalStateException if the dispatcher has its own thread, or the queue is closed
    public int poll() {
        if (thread != null) {
            throw new IllegalStateException(this + " has a thread that polls");
        }
        return pollHere();
    }

    private int pollHere() {
        try {
            int count = queue.poll(MAX_BATCH, handler);
            completeFutures();
            return count;
        } catch (IllegalStateException e) {
            if (queue.isClosed()) {
                end(e);
            }
            throw e;
        }
    }

    /// Returns whether the program does the polling, because the dispatcher has no thread.
    boolean isPolledByHand() {
        return thread == null;
    }

    /// Polls on behalf of a waiting thread. If there was nothing to poll, a virtual thread parks, because it may wait
    /// for others that need its carrier thread. A yield is not enough: the scheduler may choose the same thread again
    /// and again.
    void pause() {
        try {
            if (pollHere() != 0) {
                return;
            }
            if (Thread.currentThread().isVirtual()) {
                LockSupport.parkNanos(PAUSE_NANOS);
            } else {
                Thread.onSpinWait();
            }
        } catch (IllegalStateException e) {
            if (failure == null) {
                throw e;
            }
        }
    }

    /// Ends all work if the device was removed. Polls do not detect this, because they make no system call.
    void endIfRemoved() {
        try {
            queue.context().port(1);
        } catch (DeviceGoneException e) {
            end(e);
        } catch (IllegalStateException | VerbsException e) {
            // The next poll detects a closed queue. No other error means that completions cannot arrive.
        }
    }

    @SuppressWarnings("ReferenceEquality") // a thread is only itself
    boolean isHere() {
        return Thread.currentThread() == thread;
    }

    /// Reserves an entry for work that is about to be posted, and records its resources.
    ///
    /// @throws IllegalStateException if the maximum number of work requests is outstanding, or no more completions
    ///     arrive
    Operation begin(WorkScope scope, Slab slab, CompletionHandler completion) {
        RuntimeException cause = failure;
        if (cause != null) {
            throw new IllegalStateException(this + " has ended", cause);
        }
        int index = free.pop();
        if (index == IndexStack.NONE) {
            throw new IllegalStateException(free.isClosed()
                    ? this + " is closed"
                    : "operations=" + operations.length + " are all outstanding in " + this);
        }
        Operation operation = operations[index];
        operation.slab = slab;
        operation.scope = scope;
        operation.handler = completion;
        return operation;
    }

    /// Ends work that was not posted.
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
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "unexpected completion {0}: the work was not posted through {1}",
                    completion,
                    this);
            return;
        }
        Slab slab = operation.slab;
        WorkScope scope = operation.scope;
        CompletionHandler handed = operation.handler;
        vacate(operation, index); // first, because the handler may post again
        try {
            if (handed != null) {
                handed.completed(completion);
            }
        } catch (Throwable e) { // also an Error: the thread serves other work, too
            LOGGER.log(System.Logger.Level.WARNING, "the handler of " + completion + " failed", e);
        } finally {
            ended(slab, scope);
        }
    }

    /// Releases all resources of work.
    private void release(Operation operation, int index) {
        Slab slab = operation.slab;
        WorkScope scope = operation.scope;
        vacate(operation, index);
        ended(slab, scope);
    }

    /// Makes an entry available for other work.
    private void vacate(Operation operation, int index) {
        operation.slab = null;
        operation.scope = null;
        operation.handler = null;
        free.push(index);
    }

    private static void ended(@Nullable Slab slab, @Nullable WorkScope scope) {
        if (slab != null) {
            slab.unpin();
        }
        if (scope != null) {
            scope.ended();
        }
    }

    /// Ends work that was posted while all other work was ending.
    void endIfFailed() {
        RuntimeException cause = failure;
        if (cause != null) {
            end(cause);
        }
    }

    /// Ends the work of a destroyed queue pair, because its work does not complete any more.
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

    /// Runs a task in the polling thread, after that thread has released the queue.
    void afterwards(Runnable task) {
        afterwards.add(task);
    }

    private void completeFutures() {
        for (Runnable task = afterwards.poll(); task != null; task = afterwards.poll()) {
            task.run();
        }
    }

    /// Returns the queue whose completions the dispatcher takes.
    public CompletionQueue queue() {
        return queue;
    }

    /// Returns the number of outstanding work requests.
    public int inFlight() {
        int count = 0;
        for (Operation operation : operations) {
            count += operation.id() == 0 ? 0 : 1;
        }
        return count;
    }

    /// Ends the dispatcher's thread, if any. The queue stays open. Idempotent.
    ///
    /// @throws IllegalStateException if work is outstanding: close the asynchronous queue pairs first
    @Override
    public void close() {
        int left = free.close();
        if (left > 0) {
            throw new IllegalStateException(
                    left + " work requests are outstanding in " + this + ": close their queue pairs first");
        }
        Thread running = thread;
        if (running != null && !isHere()) {
            boolean interrupted = false;
            while (running.isAlive()) {
                running.interrupt();
                try {
                    running.join(WAKE_UP_INTERVAL);
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
