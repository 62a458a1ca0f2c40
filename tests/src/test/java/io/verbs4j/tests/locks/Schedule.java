// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.locks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Lets threads alternate. One thread runs up to its next lock operation; then a seed determines which thread
/// continues. A thread that waits for another is skipped. Works on classes rewritten by [LockWeaver].
final class Schedule {
    /// Threads that are not done by then never are: they need a few milliseconds.
    private static final long LIMIT_NANOS = 3_000_000_000L;

    private static final long LOOK_NANOS = 30_000;
    private static final int LOOKS = 20;

    private final Random lot;
    private final List<ScheduledThread> turns = new ArrayList<>();
    private final Semaphore changed = new Semaphore(0);

    /// One of the threads.
    private final class ScheduledThread extends Thread {
        private final Action action;
        private final Semaphore go = new Semaphore(0);
        private volatile boolean ready = true;
        private volatile boolean ended;
        private volatile @Nullable Throwable failure;

        ScheduledThread(String name, Action action) {
            super(name);
            this.action = action;
            setDaemon(true);
        }

        @Override
        public void run() {
            go.acquireUninterruptibly();
            try {
                action.run();
            } catch (Throwable e) {
                failure = e;
            } finally {
                ended = true;
                changed.release();
            }
        }

        void pause() {
            ready = true;
            changed.release();
            go.acquireUninterruptibly();
        }

        private boolean waits() {
            return getState() != State.RUNNABLE && !ready && !ended;
        }
    }

    /// The work of one thread.
    interface Action {
        void run() throws Exception;
    }

    /// @param seed the same for the same schedule
    Schedule(long seed) {
        this.lot = new Random(seed);
    }

    /// Adds a thread.
    void add(String name, Action action) {
        turns.add(new ScheduledThread(name, action));
    }

    /// Runs the threads to their end.
    ///
    /// @return the exception of each thread that failed
    /// @throws AssertionError if they deadlock, with their positions
    List<Throwable> run() throws InterruptedException {
        LockHooks.atEachStep(() -> {
            if (Thread.currentThread() instanceof ScheduledThread turn) {
                turn.pause();
            }
        });
        try {
            turns.forEach(Thread::start);
            long start = System.nanoTime();
            while (!turns.stream().allMatch(turn -> turn.ended)) {
                if (System.nanoTime() - start > LIMIT_NANOS) {
                    throw new AssertionError(describe());
                }
                List<ScheduledThread> ready = turns.stream().filter(turn -> turn.ready && !turn.ended).toList();
                if (ready.isEmpty()) {
                    changed.tryAcquire(LOOK_NANOS, TimeUnit.NANOSECONDS);
                    continue;
                }
                ScheduledThread next = ready.get(lot.nextInt(ready.size()));
                next.ready = false;
                changed.drainPermits();
                next.go.release();
                awaitStepOf(next);
            }
            return turns.stream().flatMap(turn -> Stream.ofNullable(turn.failure)).toList();
        } finally {
            LockHooks.atEachStep(() -> {});
        }
    }

    /// Waits until a thread is at its next lock, has ended, or waits for another thread.
    private void awaitStepOf(ScheduledThread turn) throws InterruptedException {
        int waiting = 0;
        while (!turn.ready && !turn.ended && waiting < LOOKS) {
            changed.tryAcquire(LOOK_NANOS, TimeUnit.NANOSECONDS);
            waiting = turn.waits() ? waiting + 1 : 0;
        }
    }

    private String describe() {
        return turns.stream()
                .filter(turn -> !turn.ended)
                .map(turn -> turn.getName() + " waits in "
                        + Arrays.stream(turn.getStackTrace())
                                .map(StackTraceElement::toString)
                                .filter(frame -> frame.contains("io.verbs4j"))
                                .limit(8)
                                .collect(Collectors.joining(" < ")))
                .collect(Collectors.joining("\n"));
    }
}
